"""Reasoning in tags is no answer."""

from .regex import Regex

_REASONING_TAG = Regex(r"<(\/?)(?:think|thinking|thought|reasoning|reflection|scratchpad)>|\[(\/?)THINK\]", "gi")


def without_reasoning(text):
    """The text without its reasoning; None if it ends within it."""
    out, at, depth = "", 0, 0
    for match in _REASONING_TAG.all(text):
        if match[1] == "/" or match[2] == "/":
            # An end without a start: the template opened the tag, and all before it is reasoning.
            if depth == 0:
                out = ""
            depth = max(0, depth - 1)
        else:
            if depth == 0:
                out += text[at : match.start()]
            depth += 1
        at = match.end()
    return None if depth > 0 else out + text[at:]
