"""Runs of the real program: a claim of `Unsafe` counts once a run was seen to reach the error, one of `Executed` once
the only execution was seen not to.

Native replay comes first, then the interpreter of typed C. Both take their inputs by place and occurrence; a value
that was not recorded (it was sliced away) is 0.
"""
