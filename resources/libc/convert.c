/* What the functions do that read a number from a string, as glibc has them. */

/* The value of a digit; 36 for what is none. */
static int interplay_digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'Z')
        return character - 'A' + 10;
    return 36;
}

long strtol(const char *text, char **end, int base)
{
    size_t i = 0, first;
    int negative = 0, outside = 0, digit;
    unsigned long value = 0, most = (unsigned long) -1 / 2;
    if (base < 0 || base == 1 || base > 36) {
        errno = 22;
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-') {
        negative = 1;
        most = most + 1;
    }
    if (text[i] == '-' || text[i] == '+')
        i++;
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && interplay_digit(text[i + 2]) < 16) {
        base = 16;
        i += 2;
    }
    if (base == 0)
        base = text[i] == '0' ? 8 : 10;
    first = i;
    for (digit = interplay_digit(text[i]); digit < base; digit = interplay_digit(text[i])) {
        if (value > (most - (unsigned long) digit) / (unsigned long) base)
            outside = 1;
        else
            value = value * (unsigned long) base + (unsigned long) digit;
        i++;
    }
    if (end != 0)
        *end = (char *) text + (i == first ? 0 : i);
    if (outside) {
        errno = 34;
        value = most;
    }
    return negative ? (long) -value : (long) value;
}

long long strtoll(const char *text, char **end, int base)
{
    size_t i = 0, first;
    int negative = 0, outside = 0, digit;
    unsigned long long value = 0, most = (unsigned long long) -1 / 2;
    if (base < 0 || base == 1 || base > 36) {
        errno = 22;
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-') {
        negative = 1;
        most = most + 1;
    }
    if (text[i] == '-' || text[i] == '+')
        i++;
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && interplay_digit(text[i + 2]) < 16) {
        base = 16;
        i += 2;
    }
    if (base == 0)
        base = text[i] == '0' ? 8 : 10;
    first = i;
    for (digit = interplay_digit(text[i]); digit < base; digit = interplay_digit(text[i])) {
        if (value > (most - (unsigned long long) digit) / (unsigned long long) base)
            outside = 1;
        else
            value = value * (unsigned long long) base + (unsigned long long) digit;
        i++;
    }
    if (end != 0)
        *end = (char *) text + (i == first ? 0 : i);
    if (outside) {
        errno = 34;
        value = most;
    }
    return negative ? (long long) -value : (long long) value;
}

unsigned long strtoul(const char *text, char **end, int base)
{
    size_t i = 0, first;
    int negative = 0, outside = 0, digit;
    unsigned long value = 0, most = (unsigned long) -1;
    if (base < 0 || base == 1 || base > 36) {
        errno = 22;
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-')
        negative = 1;
    if (text[i] == '-' || text[i] == '+')
        i++;
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && interplay_digit(text[i + 2]) < 16) {
        base = 16;
        i += 2;
    }
    if (base == 0)
        base = text[i] == '0' ? 8 : 10;
    first = i;
    for (digit = interplay_digit(text[i]); digit < base; digit = interplay_digit(text[i])) {
        if (value > (most - (unsigned long) digit) / (unsigned long) base)
            outside = 1;
        else
            value = value * (unsigned long) base + (unsigned long) digit;
        i++;
    }
    if (end != 0)
        *end = (char *) text + (i == first ? 0 : i);
    if (outside) {
        errno = 34;
        return most;
    }
    return negative ? -value : value;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    size_t i = 0, first;
    int negative = 0, outside = 0, digit;
    unsigned long long value = 0, most = (unsigned long long) -1;
    if (base < 0 || base == 1 || base > 36) {
        errno = 22;
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-')
        negative = 1;
    if (text[i] == '-' || text[i] == '+')
        i++;
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && interplay_digit(text[i + 2]) < 16) {
        base = 16;
        i += 2;
    }
    if (base == 0)
        base = text[i] == '0' ? 8 : 10;
    first = i;
    for (digit = interplay_digit(text[i]); digit < base; digit = interplay_digit(text[i])) {
        if (value > (most - (unsigned long long) digit) / (unsigned long long) base)
            outside = 1;
        else
            value = value * (unsigned long long) base + (unsigned long long) digit;
        i++;
    }
    if (end != 0)
        *end = (char *) text + (i == first ? 0 : i);
    if (outside) {
        errno = 34;
        return most;
    }
    return negative ? -value : value;
}
