"""The parts of a node are all nodes in it."""

from frontend.api import parse_program
from frontend.typed import tree
from frontend.typed.ctype import DataModel
from frontend.typed.traversal import parts_of, unit_nodes

TEXT = """
struct pair { int a, b; };
int table[3] = {1, [2] = 3};
struct pair made(int n) { return (struct pair){n, n + 1}; }
int main(void) {
    int i, sum = 0; char *text = "abc"; int *p = &table[1]; double d = 1.5;
    for (i = 0; i < 3; i++) sum += table[i] * (i ? *p : text[0]);
    while (sum > 9 && sum != 10) { sum--; if (sum & 1) continue; else break; }
    do { sum = ({ int k = sum; k / 2; }); } while (sum);
    switch (i) { case 1: sum = made(2).b; break; default: goto end; }
    int (*f)(void) = main; sum = -(int)(p - table) + (p + 1)[0] + f();
end: ;
    return sum, (int)d;
}
"""


def test_fields_that_are_left_out_hold_no_nodes() -> None:
    unit = parse_program(TEXT, "a.c", DataModel.ILP32)
    for node in unit_nodes(unit):
        for name in set(node.__match_args__) - set(parts_of(node)):
            value = getattr(node, name)
            inside = value if isinstance(value, tuple) else (value,)
            assert not any(isinstance(one, tree.Node | tree.InitialiserEntry) for one in inside)
