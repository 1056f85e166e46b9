"""Regular expressions of the TypeScript verifier, written as there and translated to Python's.

Python's own differ in what a digit, a space, a letter, an end of line and a letter's other case are. Here the pattern is JavaScript's,
with its flags i, m, s and u; classes are spelt out, so that nothing depends on the interpreter's Unicode. What a pattern may not use:
lookbehinds whose alternatives are not of fixed lengths each, \\p{Lu}, \\p{Ll} and negated properties with the flag i.
"""

import re
from bisect import bisect_right

from .jstext import has_surrogates, points, units
from .regex_translate import RegexTranslation, regex_has_choice

_regex_joined = [("", "", [])]


class Regex:
    """A compiled pattern. It is compiled when first used: most texts need few of them."""

    __slots__ = ("source", "flags", "_narrow", "_wide", "_anchored")

    def __init__(self, source, flags=""):
        self.source = source
        self.flags = flags
        self._narrow = None
        self._wide = None
        # Python would try an anchored pattern at every place.
        self._anchored = source.startswith("^") and "m" not in flags and not regex_has_choice(source)

    def test(self, text):
        return self.search(text) is not None

    def search(self, text, at=0):
        """The first match from a place on, or None."""
        if "u" in self.flags and has_surrogates(text):
            return self._moved(text, at, "search")
        if self._anchored:
            return (self._narrow or self._compiled()).match(text) if at == 0 else None
        return (self._narrow or self._compiled()).search(text, at)

    def at(self, text, at):
        """The match that starts at the place: a sticky pattern's."""
        if "u" in self.flags and has_surrogates(text):
            return self._moved(text, at, "match")
        return (self._narrow or self._compiled()).match(text, at)

    def all(self, text):
        """All matches in order."""
        if not ("u" in self.flags and has_surrogates(text)):
            return list((self._narrow or self._compiled()).finditer(text))
        joined, starts = _regex_join(text)
        return [_RegexMoved(m, starts) for m in self._compiled_wide().finditer(joined)]

    def sub(self, by, text, count=0):
        """The text with matches replaced: by a text as it stands, or by a function of the match."""
        replace = by if callable(by) else lambda match: by
        if not ("u" in self.flags and has_surrogates(text)):
            return (self._narrow or self._compiled()).sub(replace, text, count)
        joined, starts = _regex_join(text)
        done = self._compiled_wide().sub(lambda m: points(replace(_RegexMoved(m, starts))), joined, count)
        return units(done)

    def split(self, text):
        """The pieces between matches. For patterns without groups and without the flag u."""
        return (self._narrow or self._compiled()).split(text)

    def _compiled(self):
        self._narrow = re.compile(RegexTranslation(self.source, self.flags, False).text(), re.ASCII)
        return self._narrow

    def _compiled_wide(self):
        if self._wide is None:
            self._wide = re.compile(RegexTranslation(self.source, self.flags, True).text(), re.ASCII)
        return self._wide

    def _moved(self, text, at, how):
        joined, starts = _regex_join(text)
        place = bisect_right(starts, at) - 1 if at < starts[-1] else len(joined)
        match = getattr(self._compiled_wide(), how)(joined, place)
        return None if match is None else _RegexMoved(match, starts)


class _RegexMoved:
    """A match in whole characters, with places and texts in units."""

    __slots__ = ("_match", "_starts")

    def __init__(self, match, starts):
        self._match = match
        self._starts = starts

    def __getitem__(self, group):
        text = self._match[group]
        return None if text is None else units(text)

    def start(self, group=0):
        return self._starts[self._match.start(group)]

    def end(self, group=0):
        return self._starts[self._match.end(group)]


def _regex_join(text):
    """The text in whole characters, and for each (and the end) its place in units."""
    last = _regex_joined[0]
    if last[0] is text:
        return last[1], last[2]
    joined = points(text)
    starts = [0]
    for c in joined:
        starts.append(starts[-1] + (2 if c > "\uffff" else 1))
    _regex_joined[0] = (text, joined, starts)
    return joined, starts
