"""What stands in `\\boxed{...}`, in order, braces balanced. A box that is never closed holds nothing."""

from .regex import Regex

_BOXED_FORM = Regex(r"\\(?:boxed|fbox)\s{0,3}\{", "g")
_BOXED_BRACE = Regex(r"[\\{}]", "g")


def boxes(text):
    """(content, start, end) of each box."""
    found = []
    budget = 4 * len(text) + 1000
    match = _BOXED_FORM.search(text)
    while match is not None and budget > 0:
        start = match.end()
        end = _boxed_closing(text, start, budget)
        budget -= (len(text) if end < 0 else end) - start
        if end >= 0:
            found.append((text[start:end], match.start(), end + 1))
        match = _BOXED_FORM.search(text, start if end < 0 else end + 1)
    return found


def _boxed_closing(text, at, reach):
    """The brace that closes the one before a place; -1 if there is none within reach."""
    depth = 1
    to = min(len(text), at + reach)
    while True:
        brace = _BOXED_BRACE.search(text, at)
        if brace is None or brace.start() >= to:
            return -1
        at = brace.start()
        if text[at] == "\\":
            at += 1
        elif text[at] == "{":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return at
        at += 1
