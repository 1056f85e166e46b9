"""What all parts of the expression reader share: refusals, ways to read, and a driver for deep recursion."""


class ExprRefusal(Exception):
    """An expression that cannot be read, and why. The reader throws it to itself alone."""


# What can be read in two ways, and both ways; the first is the one that is tried first.
EXPR_CHOICES = {
    "log": ("natural", "decimal"),
    "slash": ("left", "tight"),
    "reach": ("short", "long"),
    "mixed": ("product", "sum"),
    "exponent": ("scientific", "euler"),
}


class ExprReading:
    """One way to read, which remembers what it was asked."""

    def __init__(self, choices=None):
        self.asked = set()
        self._choices = choices or {}

    def chooses(self, choice, value):
        self.asked.add(choice)
        return self._choices.get(choice, EXPR_CHOICES[choice][0]) == value


def expr_combinations(asked):
    """All combinations of ways to read what was asked."""
    every = [{}]
    for choice in sorted(asked):
        every = [{**one, choice: value} for one in every for value in EXPR_CHOICES[choice]]
    return every


def expr_run(call):
    """
    Runs a recursion written as generators, each of which yields the calls that it waits for. Trees may be thousands of
    nodes deep, which neither Python's own recursion limit nor a small stack of a thread allows.
    """
    waiting, value = [call], None
    while waiting:
        try:
            deeper = waiting[-1].send(value)
        except StopIteration as end:
            waiting.pop()
            value = end.value
        else:
            waiting.append(deeper)
            value = None
    return value
