"""Judges a yes or no, in words of several languages. A first word that decides may be followed by its reasons."""

from .plain import fold
from .regex import Regex
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

# Words for yes and no; no word means both in any two of these languages.
_BOOLEAN_YES = frozenset(
    "yes yeah yep true correct y t right affirmative ja wahr richtig oui vrai si verdadero cierto vero sim verdadeiro waar tak да верно правда истина 是 对 正确 真 はい 正しい 예 네 참 ✓ ✔".split(
        " "
    )
)
_BOOLEAN_NO = frozenset(
    "no nope false incorrect n f wrong negative untrue nein falsch non faux falso nao nee onwaar nie нет неверно ложь 否 不是 不对 错误 假 いいえ 아니오 아니요 거짓 ✗ ✘".split(
        " "
    )
)
_BOOLEAN_PADDING = frozenset(
    "the answer statement claim that this it is its a it's indeed definitely certainly therefore thus so".split(" ")
)
# What takes a yes or no back, or binds it to a condition.
_BOOLEAN_RESERVED = Regex(
    r"\b(?:but|however|except|unless|although|though|sometimes|partially|partly|only (?:if|when|for|in)|if|not always|not necessarily|aber|mais|pero)\b",
    "iu",
)
_BOOLEAN_NO_DOUBT = Regex(r"\b(?:no doubt|without a doubt)\b", "i")
_BOOLEAN_FIRST = Regex(r"^\W*[\p{L}✓✔✗✘]+ ?[,.;:!–—-]", "u")
_BOOLEAN_EITHER = Regex(r"^\W*\p{L}+ ?(?:and|or|\/|und|oder|et|ou)\b", "iu")
_BOOLEAN_WORD = Regex(r"[\p{L}\p{N}✓✔✗✘]+(?:'\p{L}+)?", "u")
_BOOLEAN_NOT = frozenset(("not", "isn't", "never", "nicht", "pas"))


def grade_boolean(plain, expected):
    said = _boolean_read(plain)
    if said == "both":
        return verdict_wrong("several_answers", "both yes and no are said", plain)
    if said is None:
        return verdict_undecided("unreadable", "the answer is neither yes nor no", plain)
    if said == expected:
        return verdict_right("equal", "the same was said", plain)
    return verdict_wrong("wrong_value", "the opposite was said", plain)


def _boolean_read(plain):
    """True, False, "both" or None."""
    text = _BOOLEAN_NO_DOUBT.sub("", plain[:2000])
    words = [m[0] for m in _BOOLEAN_WORD.all(fold(text))]
    kinds = [_boolean_kind(word, words[i - 1] if i > 0 else "") for i, word in enumerate(words)]
    alone = all(k is not None or w in _BOOLEAN_PADDING or w in _BOOLEAN_NOT for w, k in zip(words, kinds))
    # "Yes, because ...": only with a stop behind the word, so that "No planet has" or "true anomaly" say nothing.
    first = bool(kinds) and kinds[0] is not None and _BOOLEAN_FIRST.test(text)
    if True in kinds and False in kinds and (alone or first or _BOOLEAN_EITHER.test(text)):
        return "both"
    if alone:
        return next((k for k in kinds if k is not None), None)
    return kinds[0] if first and not _BOOLEAN_RESERVED.test(text) else None


def _boolean_kind(word, before):
    said = True if word in _BOOLEAN_YES else False if word in _BOOLEAN_NO else None
    return not said if said is not None and before in _BOOLEAN_NOT else said
