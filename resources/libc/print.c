/* What the functions do that write integers, characters and strings to a string, as glibc has them. The text of a
   floating-point number, and of a pointer, is any text; `size` has room for the null character, `at` is the length so
   far, also of what there is no room for. */

static size_t interplay_put(char *to, size_t size, size_t at, char character)
{
    if (size > 0 && at < size - 1)
        to[at] = character;
    return at + 1;
}

static int interplay_ended_text(char *to, size_t size, size_t at)
{
    if (size > 0)
        to[at < size ? at : size - 1] = 0;
    return (int) at;
}

static size_t interplay_fill(char *to, size_t size, size_t at, char character, int count)
{
    for (; count > 0; count--)
        at = interplay_put(to, size, at, character);
    return at;
}

/* A text that only the C library knows, of up to `most` characters. */
static size_t interplay_text(char *to, size_t size, size_t at, unsigned most)
{
    unsigned i, length = (unsigned) __interplay_conversion();
    for (i = 0; i < length && i < most; i++)
        at = interplay_put(to, size, at, (char) __interplay_conversion());
    return at;
}

/* A number behind `sign`, which is 0 where there is none, or 'x' for 0x, 'X' for 0X. */
static size_t interplay_number(char *to, size_t size, size_t at, const char *reversed, int count, char sign, int octal,
                               int left, int zero, int width, int precision)
{
    int before = sign == 0 ? 0 : sign == 'x' || sign == 'X' ? 2 : 1, zeros = 0, spaces = 0;
    if (precision < 0 && count == 0)
        zeros = 1;
    if (precision > count)
        zeros = precision - count;
    if (octal && zeros == 0 && (count == 0 || reversed[count - 1] != '0'))
        zeros = 1;
    if (width > before + zeros + count)
        spaces = width - before - zeros - count;
    if (zero && !left && precision < 0) {
        zeros = zeros + spaces;
        spaces = 0;
    }
    if (!left)
        at = interplay_fill(to, size, at, ' ', spaces);
    if (before == 2)
        at = interplay_put(to, size, at, '0');
    if (before > 0)
        at = interplay_put(to, size, at, sign);
    at = interplay_fill(to, size, at, '0', zeros);
    for (; count > 0; count--)
        at = interplay_put(to, size, at, reversed[count - 1]);
    if (left)
        at = interplay_fill(to, size, at, ' ', spaces);
    return at;
}

static char interplay_digit_of(unsigned value, char ten)
{
    return value < 10 ? (char) ('0' + value) : (char) (ten + (value - 10));
}

/* The digits of a number, the last one first; returns how many there are. */
static int interplay_short_digits(char *reversed, unsigned value, unsigned base, char ten)
{
    int count = 0;
    for (; value > 0; value = value / base)
        reversed[count++] = interplay_digit_of(value % base, ten);
    return count;
}

static int interplay_long_digits(char *reversed, unsigned long long value, unsigned base, char ten)
{
    int count = 0;
    for (; value > 0; value = value / base)
        reversed[count++] = interplay_digit_of((unsigned) (value % base), ten);
    return count;
}

static size_t interplay_string(char *to, size_t size, size_t at, const char *text, int left, int width, int precision)
{
    int length = 0, i;
    while ((precision < 0 || length < precision) && text[length])
        length++;
    __interplay_apart(to, size == 0 ? 0 : size < at + (size_t) length + 1 ? size : at + (size_t) length + 1, text,
                      precision < 0 ? (size_t) length + 1 : (size_t) length);
    if (!left)
        at = interplay_fill(to, size, at, ' ', width - length);
    for (i = 0; i < length; i++)
        at = interplay_put(to, size, at, text[i]);
    if (left)
        at = interplay_fill(to, size, at, ' ', width - length);
    return at;
}

static size_t interplay_int(char *to, size_t size, size_t at, int value, char positive, int left, int zero, int width,
                            int precision)
{
    char digits[24];
    int count = interplay_short_digits(digits, value < 0 ? 0u - (unsigned) value : (unsigned) value, 10, 'a');
    return interplay_number(to, size, at, digits, count, value < 0 ? '-' : positive, 0, left, zero, width, precision);
}

static size_t interplay_long(char *to, size_t size, size_t at, long long value, char positive, int left, int zero,
                             int width, int precision)
{
    char digits[24];
    int count = interplay_long_digits(
        digits, value < 0 ? 0ull - (unsigned long long) value : (unsigned long long) value, 10, 'a');
    return interplay_number(to, size, at, digits, count, value < 0 ? '-' : positive, 0, left, zero, width, precision);
}

/* `kind` is that of the conversion: u, o, x or X. */
static size_t interplay_unsigned(char *to, size_t size, size_t at, unsigned value, char kind, int other, int left,
                                 int zero, int width, int precision)
{
    char digits[24];
    unsigned base = kind == 'u' ? 10 : kind == 'o' ? 8 : 16;
    int count = interplay_short_digits(digits, value, base, kind == 'X' ? 'A' : 'a');
    char sign = base == 16 && other && value > 0 ? kind : 0;
    return interplay_number(to, size, at, digits, count, sign, base == 8 && other, left, zero, width, precision);
}

static size_t interplay_unsigned_long(char *to, size_t size, size_t at, unsigned long long value, char kind, int other,
                                      int left, int zero, int width, int precision)
{
    char digits[24];
    unsigned base = kind == 'u' ? 10 : kind == 'o' ? 8 : 16;
    int count = interplay_long_digits(digits, value, base, kind == 'X' ? 'A' : 'a');
    char sign = base == 16 && other && value > 0 ? kind : 0;
    return interplay_number(to, size, at, digits, count, sign, base == 8 && other, left, zero, width, precision);
}

static size_t interplay_character(char *to, size_t size, size_t at, char character, int left, int width)
{
    if (!left)
        at = interplay_fill(to, size, at, ' ', width - 1);
    at = interplay_put(to, size, at, character);
    if (left)
        at = interplay_fill(to, size, at, ' ', width - 1);
    return at;
}

int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list list)
{
    size_t at = 0;
    while (*format) {
        int left = 0, plus = 0, blank = 0, other = 0, zero = 0, width = 0, precision = -1, length = 0;
        char kind;
        if (*format != '%') {
            at = interplay_put(to, size, at, *format);
            format++;
            continue;
        }
        for (format++; *format == '-' || *format == '+' || *format == ' ' || *format == '#' || *format == '0'; format++) {
            if (*format == '-')
                left = 1;
            else if (*format == '+')
                plus = 1;
            else if (*format == ' ')
                blank = 1;
            else if (*format == '#')
                other = 1;
            else
                zero = 1;
        }
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            format++;
            if (width < 0) {
                left = 1;
                width = -width;
            }
        }
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
        if (*format == '.') {
            precision = 0;
            format++;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            }
            for (; *format >= '0' && *format <= '9'; format++)
                precision = precision * 10 + (*format - '0');
        }
        for (; *format == 'h' || *format == 'l'; format++)
            length = *format == 'l' ? length + 1 : length - 1;
        if (*format == 'j' || *format == 'z' || *format == 't') {
            length = *format == 'j' || sizeof(size_t) > sizeof(int) ? 2 : 0;
            format++;
        }
        if (*format == 'L') {
            length = 3;
            format++;
        }
        kind = *format;
        if (kind)
            format++;
        if (kind == 'd' || kind == 'i') {
            char positive = plus ? '+' : blank ? ' ' : 0;
            if (length < 1) {
                int value = __builtin_va_arg(list, int);
                if (length < 0)
                    value = length == -1 ? (short) value : (signed char) value;
                at = interplay_int(to, size, at, value, positive, left, zero, width, precision);
            } else {
                long long value;
                if (length == 1)
                    value = __builtin_va_arg(list, long);
                else
                    value = __builtin_va_arg(list, long long);
                at = interplay_long(to, size, at, value, positive, left, zero, width, precision);
            }
        } else if (kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X') {
            if (length < 1) {
                unsigned value = __builtin_va_arg(list, unsigned);
                if (length < 0)
                    value = length == -1 ? (unsigned short) value : (unsigned char) value;
                at = interplay_unsigned(to, size, at, value, kind, other, left, zero, width, precision);
            } else {
                unsigned long long value;
                if (length == 1)
                    value = __builtin_va_arg(list, unsigned long);
                else
                    value = __builtin_va_arg(list, unsigned long long);
                at = interplay_unsigned_long(to, size, at, value, kind, other, left, zero, width, precision);
            }
        } else if (kind == 'c' && length == 0) {
            char character = (char) __builtin_va_arg(list, int);
            at = interplay_character(to, size, at, character, left, width);
        } else if (kind == 's' && length == 0) {
            at = interplay_string(to, size, at, __builtin_va_arg(list, const char *), left, width, precision);
        } else if (kind == 'n') {
            if (length < -1)
                *__builtin_va_arg(list, signed char *) = (signed char) at;
            else if (length < 0)
                *__builtin_va_arg(list, short *) = (short) at;
            else if (length == 0)
                *__builtin_va_arg(list, int *) = (int) at;
            else if (length == 1)
                *__builtin_va_arg(list, long *) = (long) at;
            else
                *__builtin_va_arg(list, long long *) = (long long) at;
        } else if (kind == 'p') {
            __builtin_va_arg(list, void *);
            at = interplay_text(to, size, at, (unsigned) width + 24);
        } else if (kind == 'f' || kind == 'F' || kind == 'e' || kind == 'E' || kind == 'g' || kind == 'G' || kind == 'a'
                   || kind == 'A') {
            if (length == 3)
                __builtin_va_arg(list, long double);
            else
                __builtin_va_arg(list, double);
            at = interplay_text(to, size, at, (unsigned) width + (precision < 0 ? 0u : (unsigned) precision) + 5000);
        } else if (kind == '%') {
            at = interplay_put(to, size, at, '%');
        } else {
            abort();
        }
    }
    return interplay_ended_text(to, size, at);
}

int vsprintf(char *to, const char *format, __builtin_va_list list)
{
    return vsnprintf(to, (size_t) -1, format, list);
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    int length;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    length = vsnprintf(to, size, format, list);
    __builtin_va_end(list);
    return length;
}

int sprintf(char *to, const char *format, ...)
{
    int length;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    length = vsnprintf(to, (size_t) -1, format, list);
    __builtin_va_end(list);
    return length;
}

/* A block with what is printed; its length. */
static int interplay_printed(char **to, const char *format, __builtin_va_list list)
{
    int length;
    char *text;
    __builtin_va_list again;
    __builtin_va_copy(again, list);
    length = vsnprintf((char *) 0, 0, format, again);
    __builtin_va_end(again);
    text = malloc((size_t) length + 1);
    *to = text;
    return vsnprintf(text, (size_t) length + 1, format, list);
}

/* Where memory is out, what is pointed to stays; no standard says so. */
int vasprintf(char **to, const char *format, __builtin_va_list list)
{
    return __interplay_fails() ? -1 : interplay_printed(to, format, list);
}

int asprintf(char **to, const char *format, ...)
{
    int length;
    __builtin_va_list list;
    if (__interplay_fails())
        return -1;
    __builtin_va_start(list, format);
    length = interplay_printed(to, format, list);
    __builtin_va_end(list);
    return length;
}
