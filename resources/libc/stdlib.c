/* What some functions of stdlib.h do. */

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

int atoi(const char *text)
{
    size_t i = 0;
    int result = 0, negative = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-')
        negative = 1;
    if (text[i] == '-' || text[i] == '+')
        i++;
    while (text[i] >= '0' && text[i] <= '9') {
        result = result * 10 - (text[i] - '0');
        i++;
    }
    return negative ? result : -result;
}

long atol(const char *text)
{
    size_t i = 0;
    long result = 0;
    int negative = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-')
        negative = 1;
    if (text[i] == '-' || text[i] == '+')
        i++;
    while (text[i] >= '0' && text[i] <= '9') {
        result = result * 10 - (text[i] - '0');
        i++;
    }
    return negative ? result : -result;
}

long long atoll(const char *text)
{
    size_t i = 0;
    long long result = 0;
    int negative = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-')
        negative = 1;
    if (text[i] == '-' || text[i] == '+')
        i++;
    while (text[i] >= '0' && text[i] <= '9') {
        result = result * 10 - (text[i] - '0');
        i++;
    }
    return negative ? result : -result;
}
