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

/* The length of a word at the begin of a text, in letters of either case. */
static size_t interplay_word(const char *text, const char *word)
{
    size_t i = 0;
    while (word[i] != 0 && (text[i] == word[i] || text[i] == word[i] - 'a' + 'A'))
        i++;
    return word[i] == 0 ? i : 0;
}

/* The length of what stands for a floating-point number behind the sign; 0 where there is none. Whether the type holds a
   number with an exponent, or with more than `most` characters, only the library knows. */
static size_t interplay_real(const char *text, size_t most)
{
    size_t i = 0, mark;
    int base = 10, digits = 0, exponent = 0;
    if (interplay_word(text, "infinity"))
        return 8;
    if (interplay_word(text, "inf"))
        return 3;
    if (interplay_word(text, "nan")) {
        if (text[3] != '(')
            return 3;
        for (i = 4; interplay_digit(text[i]) < 36 || text[i] == '_'; i++)
            ;
        return text[i] == ')' ? i + 1 : 3;
    }
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')
        && (interplay_digit(text[2]) < 16 || (text[2] == '.' && interplay_digit(text[3]) < 16))) {
        base = 16;
        i = 2;
    }
    for (; interplay_digit(text[i]) < base; i++)
        digits = 1;
    if (text[i] == '.' && (digits || interplay_digit(text[i + 1]) < base)) {
        for (i++; interplay_digit(text[i]) < base; i++)
            digits = 1;
    }
    if (!digits)
        return 0;
    if (base == 16 ? text[i] == 'p' || text[i] == 'P' : text[i] == 'e' || text[i] == 'E') {
        mark = i + 1;
        if (text[mark] == '-' || text[mark] == '+')
            mark++;
        if (interplay_digit(text[mark]) < 10) {
            exponent = 1;
            for (i = mark; interplay_digit(text[i]) < 10; i++)
                ;
        }
    }
    if ((exponent || i > most) && __interplay_conversion() == 1)
        errno = 34;
    return i;
}

/* Where the number ends. Its value only the library knows. */
static void interplay_real_end(const char *text, char **end, size_t most)
{
    size_t i = 0, length;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+')
        i++;
    length = interplay_real(text + i, most);
    if (end != 0)
        *end = (char *) text + (length == 0 ? 0 : i + length);
}

double strtod(const char *text, char **end)
{
    interplay_real_end(text, end, 250);
    return __interplay_double();
}

float strtof(const char *text, char **end)
{
    interplay_real_end(text, end, 30);
    return __interplay_float();
}

long double strtold(const char *text, char **end)
{
    interplay_real_end(text, end, 250);
    return __interplay_long_double();
}

double atof(const char *text)
{
    interplay_real_end(text, 0, 250);
    return __interplay_double();
}
