"""What trees of expressions hold, and how they are printed."""

from .expr_base import expr_run


def expr_children(node):
    kind = node[0]
    if kind in ("sum", "product"):
        return node[1]
    if kind in ("negative", "factorial", "quotient", "power"):
        return node[1:]
    if kind == "call":
        return node[2]
    return node[3:] if kind == "series" else ()


def expr_nodes(node):
    """All nodes of a tree."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(expr_children(one))


def expr_variables(node):
    """Names of the free variables; a series hides its index."""
    found = set()
    waiting = [(node, frozenset())]
    while waiting:
        one, bound = waiting.pop()
        if one[0] == "variable":
            if one[1] not in bound:
                found.add(one[1])
        elif one[0] == "series":
            waiting += [(one[3], bound), (one[4], bound), (one[5], bound | {one[2]})]
        else:
            waiting.extend((child, bound) for child in expr_children(one))
    return found


def expr_counters(node):
    """
    Variables that count something, under a factorial, in `binom` or in the bounds of a series: only whole numbers make sense
    for them.
    """
    found, none = set(), frozenset()
    # With each node the names that are bound where it counts something; None where it counts nothing.
    waiting = [(node, None)]
    while waiting:
        one, bound = waiting.pop()
        kind = one[0]
        if kind == "variable":
            if bound is not None and one[1] not in bound:
                found.add(one[1])
        elif kind == "series":
            inner = None if bound is None else bound | {one[2]}
            waiting += [(one[3], none), (one[4], none), (one[5], inner)]
        else:
            counts = kind == "factorial" or (kind == "call" and one[1] == "binom")
            waiting.extend((child, none if counts else bound) for child in expr_children(one))
    return found


def expr_has_i(node):
    return any(one == ("constant", "i") for one in expr_nodes(node))


def expr_bare(node):
    """The whole expression on one line of plain text, without brackets around it."""
    return _expr_open(node, expr_run(_expr_printed(node)))


_EXPR_SIMPLE = frozenset(("number", "constant", "variable", "sum", "call", "series"))


def _expr_open(node, text):
    return text[1:-1] if node[0] == "sum" else text


def _expr_atom(node, text):
    return text if node[0] in _EXPR_SIMPLE else f"({text})"


def _expr_printed(node):
    kind = node[0]
    if kind in ("number", "constant", "variable"):
        return node[1]
    texts = []
    for child in expr_children(node):
        texts.append((yield _expr_printed(child)))
    if kind == "sum":
        return f"({' + '.join(texts)})".replace("+ -", "- ")
    if kind == "product":
        return "*".join(texts)
    if kind == "call":
        return f"{node[1]}({', '.join(map(_expr_open, node[2], texts))})"
    if kind == "series":
        return f"{node[1]}({texts[2]}, {node[2]}, {texts[0]}, {texts[1]})"
    atoms = list(map(_expr_atom, node[1:], texts))
    if kind == "negative":
        return "-" + atoms[0]
    if kind == "factorial":
        return atoms[0] + "!"
    return ("/" if kind == "quotient" else "^").join(atoms)
