/* What the functions on characters do, in the "C" locale. Only whether a result is 0 is known. */

int isdigit(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (!(character >= '0' && character <= '9'))
        return 0;
    return truth != 0 ? truth : 1;
}

int islower(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (!(character >= 'a' && character <= 'z'))
        return 0;
    return truth != 0 ? truth : 1;
}

int isupper(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (!(character >= 'A' && character <= 'Z'))
        return 0;
    return truth != 0 ? truth : 1;
}

int isalpha(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (!((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')))
        return 0;
    return truth != 0 ? truth : 1;
}

int isalnum(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (!((character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')))
        return 0;
    return truth != 0 ? truth : 1;
}

int isxdigit(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (!((character >= '0' && character <= '9') || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F')))
        return 0;
    return truth != 0 ? truth : 1;
}

int isblank(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (character != ' ' && character != '\t')
        return 0;
    return truth != 0 ? truth : 1;
}

int isspace(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (character != ' ' && (character < '\t' || character > '\r'))
        return 0;
    return truth != 0 ? truth : 1;
}

int iscntrl(int character)
{
    int truth = __VERIFIER_nondet_order();
    if ((character < 0 || character > 31) && character != 127)
        return 0;
    return truth != 0 ? truth : 1;
}

int isprint(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (character < 32 || character > 126)
        return 0;
    return truth != 0 ? truth : 1;
}

int isgraph(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (character < 33 || character > 126)
        return 0;
    return truth != 0 ? truth : 1;
}

int ispunct(int character)
{
    int truth = __VERIFIER_nondet_order();
    if (character < 33 || character > 126 || (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z'))
        return 0;
    return truth != 0 ? truth : 1;
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
    int truth = __VERIFIER_nondet_order();
    if (character < 0 || character > 127)
        return 0;
    return truth != 0 ? truth : 1;
}

int toascii(int character)
{
    return character & 127;
}
