"""Separators outside all brackets."""

from .jstext import trim

OPENING = "([{❴⟨"
CLOSING = ")]}❵⟩"


def top_level(text, separators):
    """Positions of a separator outside all brackets."""
    found, depth = [], 0
    for i, c in enumerate(text):
        if c in OPENING:
            depth += 1
        elif c in CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0 and c in separators:
            found.append(i)
    return found


def cut_at(text, places):
    """The trimmed pieces between places."""
    starts = [0] + [place + 1 for place in places]
    return [trim(text[start:end]) for start, end in zip(starts, list(places) + [len(text)])]
