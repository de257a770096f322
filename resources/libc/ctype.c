/* What the functions on characters do, in the "C" locale. Only whether a result is 0 is known. */

static int interplay_true(void)
{
    int truth = __VERIFIER_nondet_truth();
    return truth != 0 ? truth : 1;
}

int isdigit(int character)
{
    if (!(character >= '0' && character <= '9'))
        return 0;
    return interplay_true();
}

int islower(int character)
{
    if (!(character >= 'a' && character <= 'z'))
        return 0;
    return interplay_true();
}

int isupper(int character)
{
    if (!(character >= 'A' && character <= 'Z'))
        return 0;
    return interplay_true();
}

int isalpha(int character)
{
    if (!((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')))
        return 0;
    return interplay_true();
}

int isalnum(int character)
{
    if (!((character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')))
        return 0;
    return interplay_true();
}

int isxdigit(int character)
{
    if (!((character >= '0' && character <= '9') || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F')))
        return 0;
    return interplay_true();
}

int isblank(int character)
{
    if (character != ' ' && character != '\t')
        return 0;
    return interplay_true();
}

int isspace(int character)
{
    if (character != ' ' && (character < '\t' || character > '\r'))
        return 0;
    return interplay_true();
}

int iscntrl(int character)
{
    if ((character < 0 || character > 31) && character != 127)
        return 0;
    return interplay_true();
}

int isprint(int character)
{
    if (character < 32 || character > 126)
        return 0;
    return interplay_true();
}

int isgraph(int character)
{
    if (character < 33 || character > 126)
        return 0;
    return interplay_true();
}

int ispunct(int character)
{
    if (character < 33 || character > 126 || (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z'))
        return 0;
    return interplay_true();
}

int tolower(int character)
{
    if (character >= 'A' && character <= 'Z')
        return character + 32;
    return character;
}

int toupper(int character)
{
    if (character >= 'a' && character <= 'z')
        return character - 32;
    return character;
}

int isascii(int character)
{
    if (character < 0 || character > 127)
        return 0;
    return interplay_true();
}

int toascii(int character)
{
    return character & 127;
}
