/* What the functions do that read lines: any characters, which end at any place, or in an error; and the environment. */

char *fgets(char *text, int size, void *stream)
{
    int i = 0, character = 0;
    while (i < size - 1 && character != '\n') {
        character = __VERIFIER_nondet_input();
        if (character < 0 || character > 255)
            break;
        text[i++] = (char) character;
    }
    if ((i == 0 && size != 1) || (i > 0 && __VERIFIER_nondet_failure() != 0))
        return 0;
    text[i] = 0;
    return text;
}

/* The line is as long as it is; the buffer is enlarged where it must be. */
interplay_ssize getline(char **to, size_t *size, void *stream)
{
    size_t i = 0, length = __VERIFIER_nondet_length();
    if (length == 0 || length > (size_t) -1 / 4)
        return -1;
    if (*to == 0 || *size < length + 1) {
        free(*to);
        *to = malloc(length + 1);
        *size = length + 1;
    }
    for (i = 0; i < length; i++)
        (*to)[i] = __VERIFIER_nondet_character();
    (*to)[length] = 0;
    return (interplay_ssize) length;
}

/* A variable of the environment has any value, or none; its name is read. */
static char *interplay_variable(const char *name)
{
    size_t i = 0, length = __VERIFIER_nondet_length();
    char *value;
    while (name[i] != 0)
        i++;
    if (length == 0 || length > (size_t) -1 / 4)
        return 0;
    value = alloca(length);
    for (i = 0; i < length - 1; i++)
        value[i] = __VERIFIER_nondet_character();
    value[length - 1] = 0;
    return value;
}
