/* What the functions on strings do. Only the sign of what a comparison returns is known. */

size_t strlen(const char *text)
{
    size_t i = 0;
    while (text[i] != 0)
        i++;
    return i;
}

size_t strnlen(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && text[i] != 0)
        i++;
    return i;
}

char *strcpy(char *to, const char *from)
{
    size_t i = 0;
    while (from[i] != 0) {
        __interplay_apart(to, i + 1, from, i + 1);
        to[i] = from[i];
        i++;
    }
    __interplay_apart(to, i + 1, from, i + 1);
    to[i] = 0;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    size_t i = 0;
    while (from[i] != 0) {
        __interplay_apart(to, i + 1, from, i + 1);
        to[i] = from[i];
        i++;
    }
    __interplay_apart(to, i + 1, from, i + 1);
    to[i] = 0;
    return to + i;
}

char *strncpy(char *to, const char *from, size_t size)
{
    size_t i = 0, read;
    while (i < size && from[i] != 0) {
        __interplay_apart(to, i + 1, from, i + 1);
        to[i] = from[i];
        i++;
    }
    read = i < size ? i + 1 : i;
    while (i < size) {
        __interplay_apart(to, i + 1, from, read);
        to[i] = 0;
        i++;
    }
    return to;
}

char *strcat(char *to, const char *from)
{
    size_t i = 0, end = 0;
    while (to[end] != 0)
        end++;
    while (from[i] != 0) {
        __interplay_apart(to + end, i + 1, from, i + 1);
        to[end + i] = from[i];
        i++;
    }
    __interplay_apart(to + end, i + 1, from, i + 1);
    to[end + i] = 0;
    return to;
}

char *strncat(char *to, const char *from, size_t size)
{
    size_t i = 0, end = 0;
    while (to[end] != 0)
        end++;
    while (i < size && from[i] != 0) {
        __interplay_apart(to + end, i + 1, from, i + 1);
        to[end + i] = from[i];
        i++;
    }
    __interplay_apart(to + end, i + 1, from, i + 1);
    to[end + i] = 0;
    return to;
}

int strcmp(const char *left, const char *right)
{
    size_t i = 0;
    int order = __VERIFIER_nondet_order();
    while (left[i] == right[i]) {
        if (left[i] == 0)
            return 0;
        i++;
    }
    if ((unsigned char) left[i] < (unsigned char) right[i])
        return order < 0 ? order : -1;
    return order > 0 ? order : 1;
}

int strncmp(const char *left, const char *right, size_t size)
{
    size_t i;
    int order = __VERIFIER_nondet_order();
    for (i = 0; i < size; i++) {
        if (left[i] != right[i]) {
            if ((unsigned char) left[i] < (unsigned char) right[i])
                return order < 0 ? order : -1;
            return order > 0 ? order : 1;
        }
        if (left[i] == 0)
            return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    size_t i = 0;
    int order = __VERIFIER_nondet_order();
    for (;;) {
        int a = (unsigned char) left[i], b = (unsigned char) right[i];
        if (a >= 'A' && a <= 'Z')
            a += 32;
        if (b >= 'A' && b <= 'Z')
            b += 32;
        if (a < b)
            return order < 0 ? order : -1;
        if (a > b)
            return order > 0 ? order : 1;
        if (a == 0)
            return 0;
        i++;
    }
}

int strncasecmp(const char *left, const char *right, size_t size)
{
    size_t i;
    int order = __VERIFIER_nondet_order();
    for (i = 0; i < size; i++) {
        int a = (unsigned char) left[i], b = (unsigned char) right[i];
        if (a >= 'A' && a <= 'Z')
            a += 32;
        if (b >= 'A' && b <= 'Z')
            b += 32;
        if (a < b)
            return order < 0 ? order : -1;
        if (a > b)
            return order > 0 ? order : 1;
        if (a == 0)
            return 0;
    }
    return 0;
}

char *strchr(const char *text, int character)
{
    size_t i = 0;
    while (text[i] != (char) character) {
        if (text[i] == 0)
            return 0;
        i++;
    }
    return (char *) text + i;
}

char *strrchr(const char *text, int character)
{
    size_t i = 0;
    char *last = 0;
    for (;;) {
        if (text[i] == (char) character)
            last = (char *) text + i;
        if (text[i] == 0)
            return last;
        i++;
    }
}

char *strstr(const char *text, const char *part)
{
    size_t i = 0, k;
    for (;;) {
        k = 0;
        while (part[k] != 0 && text[i + k] == part[k])
            k++;
        if (part[k] == 0)
            return (char *) text + i;
        if (text[i] == 0)
            return 0;
        i++;
    }
}

size_t strspn(const char *text, const char *accepted)
{
    size_t i = 0, k;
    for (;;) {
        k = 0;
        while (accepted[k] != 0 && accepted[k] != text[i])
            k++;
        if (accepted[k] == 0)
            return i;
        i++;
    }
}

size_t strcspn(const char *text, const char *rejected)
{
    size_t i = 0, k;
    while (text[i] != 0) {
        k = 0;
        while (rejected[k] != 0 && rejected[k] != text[i])
            k++;
        if (rejected[k] != 0)
            return i;
        i++;
    }
    return i;
}

char *strpbrk(const char *text, const char *accepted)
{
    size_t i = 0, k;
    while (text[i] != 0) {
        k = 0;
        while (accepted[k] != 0 && accepted[k] != text[i])
            k++;
        if (accepted[k] != 0)
            return (char *) text + i;
        i++;
    }
    return 0;
}

char *strdup(const char *text)
{
    size_t i = 0, size = 0;
    char *copy;
    while (text[size] != 0)
        size++;
    if (__interplay_fails()) {
        errno = 12;
        return 0;
    }
    copy = malloc(size + 1);
    while (i <= size) {
        copy[i] = text[i];
        i++;
    }
    return copy;
}

char *strndup(const char *text, size_t most)
{
    size_t i = 0, size = 0;
    char *copy;
    while (size < most && text[size] != 0)
        size++;
    if (__interplay_fails()) {
        errno = 12;
        return 0;
    }
    copy = malloc(size + 1);
    while (i < size) {
        copy[i] = text[i];
        i++;
    }
    copy[size] = 0;
    return copy;
}

int strcoll(const char *left, const char *right)
{
    size_t i = 0;
    int order = __VERIFIER_nondet_order();
    while (left[i] == right[i]) {
        if (left[i] == 0)
            return 0;
        i++;
    }
    if ((unsigned char) left[i] < (unsigned char) right[i])
        return order < 0 ? order : -1;
    return order > 0 ? order : 1;
}

size_t strxfrm(char *to, const char *from, size_t size)
{
    size_t i = 0;
    while (from[i] != 0) {
        if (i < size) {
            __interplay_apart(to, i + 1, from, i + 1);
            to[i] = from[i];
        }
        i++;
    }
    if (i < size) {
        __interplay_apart(to, i + 1, from, i + 1);
        to[i] = 0;
    }
    return i;
}

char *strchrnul(const char *text, int character)
{
    size_t i = 0;
    while (text[i] != 0 && text[i] != (char) character)
        i++;
    return (char *) text + i;
}

char *strcasestr(const char *text, const char *part)
{
    size_t i = 0, k;
    for (;;) {
        k = 0;
        while (part[k] != 0) {
            int a = (unsigned char) text[i + k], b = (unsigned char) part[k];
            if (a >= 'A' && a <= 'Z')
                a += 32;
            if (b >= 'A' && b <= 'Z')
                b += 32;
            if (a != b)
                break;
            k++;
        }
        if (part[k] == 0)
            return (char *) text + i;
        if (text[i] == 0)
            return 0;
        i++;
    }
}

void *memmem(const void *text, size_t size, const void *part, size_t length)
{
    const unsigned char *in = text, *of = part;
    size_t i, k;
    for (i = 0; length <= size && i <= size - length; i++) {
        k = 0;
        while (k < length && in[i + k] == of[k])
            k++;
        if (k == length)
            return (void *) (in + i);
    }
    return 0;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    while (from[i] != 0) {
        if (i + 1 < size)
            to[i] = from[i];
        i++;
    }
    if (size > 0)
        to[i < size ? i : size - 1] = 0;
    return i;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t i = 0, end = 0;
    while (end < size && to[end] != 0)
        end++;
    while (from[i] != 0) {
        if (end + i + 1 < size)
            to[end + i] = from[i];
        i++;
    }
    if (end < size)
        to[end + i < size ? end + i : size - 1] = 0;
    return end + i;
}

char *strtok_r(char *text, const char *separators, char **rest)
{
    char *end;
    size_t k;
    if (text == 0)
        text = *rest;
    while (*text != 0) {
        k = 0;
        while (separators[k] != 0 && separators[k] != *text)
            k++;
        if (separators[k] == 0)
            break;
        text++;
    }
    end = text;
    while (*end != 0) {
        k = 0;
        while (separators[k] != 0 && separators[k] != *end)
            k++;
        if (separators[k] != 0)
            break;
        end++;
    }
    if (end == text) {
        *rest = end;
        return 0;
    }
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return text;
}

char *strtok(char *text, const char *separators)
{
    return strtok_r(text, separators, &interplay_strtok);
}

char *strsep(char **text, const char *separators)
{
    char *begin = *text, *end = begin;
    size_t k;
    if (begin == 0)
        return 0;
    while (*end != 0) {
        k = 0;
        while (separators[k] != 0 && separators[k] != *end)
            k++;
        if (separators[k] != 0)
            break;
        end++;
    }
    if (*end != 0) {
        *end = 0;
        *text = end + 1;
    } else
        *text = 0;
    return begin;
}

/* The text is any, of at most 63 characters. */
char *strerror(int number)
{
    int i, length = __interplay_conversion();
    for (i = 0; i < 63 && i < length; i++)
        interplay_message[i] = (char) __interplay_conversion();
    interplay_message[i] = 0;
    return interplay_message;
}
