"""Functions of the C library whose results come from outside of the program, with the ranges of these results."""

from __future__ import annotations

RESULTS = {
    **dict.fromkeys(("rand", "random", "rand_r", "lrand48", "nrand48"), (0, (1 << 31) - 1)),
    **dict.fromkeys(("getchar", "fgetc", "getc", "_IO_getc"), (-1, 255)),
    **dict.fromkeys(("getchar_unlocked", "fgetc_unlocked", "getc_unlocked"), (-1, 255)),
    "fclose": (-1, 0),
}
"""What functions return at least and at most, as far as their name says it."""
CONVERTED = {"scanf": 1, "fscanf": 2, "__isoc99_scanf": 1, "__isoc99_fscanf": 2}
"""Arguments of functions that return how many of the others they set, or -1."""
COUNTED = {"read": -1, "write": -1, "recv": -1, "send": -1, "fread": 0, "fwrite": 0}
"""What is returned at least; at most it is the third argument."""
OWN_ARGUMENT = frozenset(("fgets", "gets", "fgets_unlocked", "getcwd"))
"""Functions that return null or their first argument."""
ARBITRARY = frozenset((*RESULTS, *CONVERTED, "fopen", "getrandom"))
"""Functions that may return any value, within their range, each time that they are called."""
OUTSIDE = ARBITRARY | OWN_ARGUMENT | frozenset((*COUNTED, "time"))
"""All of them: what they write comes from outside, too."""
