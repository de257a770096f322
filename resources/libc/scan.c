/* What the functions do that read integers, characters and strings from a string, as glibc has them. A floating-point
   number is read as any number of characters. */

static size_t interplay_blanks(const char *text, size_t at)
{
    while (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))
        at++;
    return at;
}

static unsigned interplay_value(char character)
{
    if (character >= '0' && character <= '9')
        return (unsigned) (character - '0');
    if (character >= 'a' && character <= 'f')
        return (unsigned) (character - 'a') + 10;
    if (character >= 'A' && character <= 'F')
        return (unsigned) (character - 'A') + 10;
    return 36;
}

/* Whether a character is in the set that begins at `set`, behind the bracket, and behind `^`. */
static int interplay_is_in(const char *set, char character)
{
    size_t i = 0;
    do {
        if (set[i + 1] == '-' && set[i + 2] != ']' && set[i + 2] != 0) {
            if ((unsigned char) set[i] <= (unsigned char) character
                && (unsigned char) character <= (unsigned char) set[i + 2])
                return 1;
            i = i + 3;
        } else {
            if (set[i] == character)
                return 1;
            i = i + 1;
        }
    } while (set[i] != ']');
    return 0;
}

int vsscanf(const char *text, const char *format, __builtin_va_list list)
{
    size_t at = 0;
    int done = 0;
    while (*format) {
        int keeps = 1, length = 0, width = 0, most, count = 0;
        char kind;
        if (*format == ' ' || (*format >= '\t' && *format <= '\r')) {
            at = interplay_blanks(text, at);
            format++;
            continue;
        }
        if (*format != '%') {
            if (text[at] == 0)
                return done == 0 ? -1 : done;
            if (text[at] != *format)
                return done;
            at++;
            format++;
            continue;
        }
        format++;
        if (*format == '*') {
            keeps = 0;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
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
        if (kind == 'n') {
            if (!keeps)
                continue;
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
            continue;
        }
        if (kind != 'c' && kind != '[')
            at = interplay_blanks(text, at);
        if (text[at] == 0)
            return done == 0 ? -1 : done;
        most = width > 0 ? width : kind == 'c' ? 1 : 2147483647;
        if (kind == '%') {
            if (text[at] != '%')
                return done;
            at++;
        } else if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X') {
            int negative = text[at] == '-', any = 0, outside = 0;
            unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : kind == 'i' ? 0 : 10;
            int is_signed = kind == 'd' || kind == 'i', is_long = sizeof(long) > 4 || length > 1;
            unsigned long long value = 0;
            unsigned long long limit = is_long ? (unsigned long long) -1 : 0xffffffffull;
            if (is_signed)
                limit = limit / 2 + (unsigned long long) negative;
            if (text[at] == '-' || text[at] == '+') {
                at++;
                count++;
            }
            if (count < most && text[at] == '0' && (base == 0 || base == 16)) {
                at++;
                count++;
                any = 1;
                if (count < most && (text[at] == 'x' || text[at] == 'X')) {
                    at++;
                    count++;
                    base = 16; /* glibc takes 0x without digits as 0 */
                } else if (base == 0) {
                    base = 8;
                }
            }
            if (base == 0)
                base = 10;
            for (; count < most && interplay_value(text[at]) < base; count++) {
                unsigned digit = interplay_value(text[at]);
                any = 1;
                if (value > (limit - digit) / base)
                    outside = 1;
                else
                    value = value * base + digit;
                at++;
            }
            if (!any)
                return done;
            if (outside)
                value = limit;
            if (negative && !(outside && !is_signed))
                value = 0 - value;
            if (!keeps)
                continue;
            if (length < -1)
                *__builtin_va_arg(list, signed char *) = (signed char) value;
            else if (length < 0)
                *__builtin_va_arg(list, short *) = (short) value;
            else if (length == 0)
                *__builtin_va_arg(list, int *) = (int) value;
            else if (length == 1)
                *__builtin_va_arg(list, long *) = (long) value;
            else
                *__builtin_va_arg(list, long long *) = (long long) value;
            done++;
        } else if ((kind == 's' || kind == 'c' || kind == '[') && length == 0) {
            char *to = 0;
            const char *set = format;
            int inverted = 0;
            if (kind == '[') {
                if (*format == '^') {
                    inverted = 1;
                    format++;
                }
                set = format;
                do
                    format++;
                while (*format != ']');
                format++;
            }
            if (keeps)
                to = __builtin_va_arg(list, char *);
            for (; count < most && text[at]; count++) {
                char character = text[at];
                if (kind == 's' && (character == ' ' || (character >= '\t' && character <= '\r')))
                    break;
                if (kind == '[' && interplay_is_in(set, character) == inverted)
                    break;
                if (keeps)
                    to[count] = character;
                at++;
            }
            if (count == 0)
                return done;
            if (keeps && kind != 'c')
                to[count] = 0;
            done = done + keeps;
        } else if (kind == 'f' || kind == 'F' || kind == 'e' || kind == 'E' || kind == 'g' || kind == 'G' || kind == 'a'
                   || kind == 'A') {
            int length_of = __interplay_conversion();
            for (; count < most && count < length_of && text[at]; count++)
                at++;
            if (count == 0)
                return __interplay_conversion() ? done : done == 0 ? -1 : done;
            if (!keeps)
                continue;
            if (length == 3)
                *__builtin_va_arg(list, long double *) = __interplay_long_double();
            else if (length == 1)
                *__builtin_va_arg(list, double *) = __interplay_double();
            else
                *__builtin_va_arg(list, float *) = __interplay_float();
            done++;
        } else {
            abort();
        }
    }
    return done;
}

int sscanf(const char *text, const char *format, ...)
{
    int done;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    done = vsscanf(text, format, list);
    __builtin_va_end(list);
    return done;
}
