"""Verdicts, and how much of a text is looked at."""

from .jstext import points

# Longest final answer that is looked at, in UTF-16 units.
MAX_ANSWER = 20_000
# How much of a reply is looked at: its end, where final answers stand.
MAX_REPLY = 200_000


class Verdict:
    """`verdict` is right, wrong or undecided; `reason` a stable code, `why` a sentence, `read` the answer as it was read, or None."""

    __slots__ = ("verdict", "reason", "why", "read")

    def __init__(self, verdict, reason, why, read):
        self.verdict = verdict
        self.reason = reason
        self.why = why
        self.read = None if read is None else _verdicts_clip(read)

    def as_dict(self):
        read = None if self.read is None else points(self.read)
        return {"verdict": self.verdict, "reason": self.reason, "why": points(self.why), "read": read}


def verdict_right(reason, why, read=None):
    return Verdict("right", reason, why, read)


def verdict_wrong(reason, why, read=None):
    return Verdict("wrong", reason, why, read)


def verdict_undecided(reason, why, read=None):
    return Verdict("undecided", reason, why, read)


def _verdicts_clip(text):
    """Evidence is for people: enough of a long text to know it by."""
    return text[:300] + "…" if len(text) > 300 else text
