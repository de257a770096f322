/* What gcc has built in about the bits of numbers, in arithmetic without bit operators. */

int __builtin_popcountll(unsigned long long value)
{
    int count = 0;
    while (value) {
        count += value % 2;
        value /= 2;
    }
    return count;
}

int __builtin_popcount(unsigned value)
{
    return __builtin_popcountll(value);
}

int __builtin_popcountl(unsigned long value)
{
    return __builtin_popcountll(value);
}

int __builtin_parityll(unsigned long long value)
{
    return __builtin_popcountll(value) % 2;
}

int __builtin_parity(unsigned value)
{
    return __builtin_popcountll(value) % 2;
}

int __builtin_parityl(unsigned long value)
{
    return __builtin_popcountll(value) % 2;
}

/* The number of bits from the first that is 1 on; 0 for 0. */
static int interplay_width(unsigned long long value)
{
    int width = 0;
    if (value >= 1ULL << 32) { width += 32; value /= 1ULL << 32; }
    if (value >= 1 << 16) { width += 16; value /= 1 << 16; }
    if (value >= 1 << 8) { width += 8; value /= 1 << 8; }
    if (value >= 1 << 4) { width += 4; value /= 1 << 4; }
    if (value >= 1 << 2) { width += 2; value /= 1 << 2; }
    return width + (value < 2 ? (int) value : 2);
}

int __builtin_clz(unsigned value)
{
    return 8 * (int) sizeof value - interplay_width(value);
}

int __builtin_clzl(unsigned long value)
{
    return 8 * (int) sizeof value - interplay_width(value);
}

int __builtin_clzll(unsigned long long value)
{
    return 8 * (int) sizeof value - interplay_width(value);
}

/* The number of bits that are 0 behind the last that is 1. */
static int interplay_zeros(unsigned long long value)
{
    int zeros = 0;
    if (value % (1ULL << 32) == 0) { zeros += 32; value /= 1ULL << 32; }
    if (value % (1 << 16) == 0) { zeros += 16; value /= 1 << 16; }
    if (value % (1 << 8) == 0) { zeros += 8; value /= 1 << 8; }
    if (value % (1 << 4) == 0) { zeros += 4; value /= 1 << 4; }
    if (value % (1 << 2) == 0) { zeros += 2; value /= 1 << 2; }
    return value % 2 == 0 ? zeros + 1 : zeros;
}

int __builtin_ctz(unsigned value)
{
    return interplay_zeros(value);
}

int __builtin_ctzl(unsigned long value)
{
    return interplay_zeros(value);
}

int __builtin_ctzll(unsigned long long value)
{
    return interplay_zeros(value);
}

int __builtin_ffs(int value)
{
    return value ? interplay_zeros((unsigned) value) + 1 : 0;
}

int __builtin_ffsl(long value)
{
    return value ? interplay_zeros((unsigned long) value) + 1 : 0;
}

int __builtin_ffsll(long long value)
{
    return value ? interplay_zeros((unsigned long long) value) + 1 : 0;
}

unsigned short __builtin_bswap16(unsigned short value)
{
    return value % 256 * 256 + value / 256;
}

unsigned __builtin_bswap32(unsigned value)
{
    return value % 256 * 16777216 + value / 256 % 256 * 65536 + value / 65536 % 256 * 256 + value / 16777216;
}

unsigned long long __builtin_bswap64(unsigned long long value)
{
    return __builtin_bswap32(value % (1ULL << 32)) * (1ULL << 32) + __builtin_bswap32(value / (1ULL << 32));
}
