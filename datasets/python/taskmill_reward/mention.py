"""Whether a short sentence that holds a name names it as the answer: "The planet is Uranus", never "a moon of Uranus"."""

from .names import is_named, name_keys
from .plain import fold, words_of
from .regex import Regex

_MENTION_LONGEST = 300
_MENTION_MOST_WORDS = 6
# Kinds of things, which may stand before a name: "the planet Uranus".
_MENTION_KINDS = (
    "planet moon asteroid comet star element mineral city country species animal plant body satellite exoplanet isotope nuclide "
    "mountain river lake volcano compound chemical object entity ion substance molecule"
).split(" ")
# Small words that may stand beside a name and add nothing.
_MENTION_FILLERS = frozenset(
    "the a an is was are it its this that answer named called name known as dwarf minor of which one".split(" ")
    + _MENTION_KINDS
    + [kind + "s" for kind in _MENTION_KINDS]
)
# Between two names, or beside one, these make it no plain statement.
_MENTION_ALTERNATIVES = Regex(
    r"\b(?:or|and|not|nor|neither|versus|vs|rather|instead|unlike|except|but|oder|und|nicht|ou|et|pas|o|y|no|none)\b|[/&?+→]",
    "iu",
)
# What takes a name back or puts another in its place.
_MENTION_REFUTED = Regex(
    r"\b(?:excluded|wrong|incorrect|false|ruled|fails?|failed|eliminated|second|third|runner|almost|nearly|close|missing|than|after|before|next|unlikely|disqualified|discarded|removed|rejected|besides|beyond|other|like|might|think|thought|expect|assume|would have|seems?|appears?|without)\b",
    "i",
)
# "Saturn's moon" before Titan, "moon of Saturn" behind it.
_MENTION_OWNER = Regex(
    r"^(?:the )?(?:\p{Lu}[\p{L}\d-]* ?){1,3}'s? (?:\p{Ll}+ ){0,2}(?:" + "|".join(_MENTION_KINDS) + ") ?$", "u"
)
# What is the same as the name behind its "of": the city of Paris, not the moon of Uranus.
_MENTION_GENITIVE = Regex(
    r"^(?:city|state|kingdom|republic|name|planet|element|isle|island|asteroid|country|mineral)$", "i"
)
_MENTION_PLACE = Regex(r"\b(?:of|in|from|orbiting|around) (?:the )?\p{Lu}[\p{L}\d-]*", "u")
_MENTION_DESCRIBES = Regex(
    r"^[\s,(:–—-]{0,4}(?:is|was|has|had|with|because|since|as|which|whose|where|the|an?|at|in)\b|^ ?\(", "i"
)
# ", not Neptune": another name that is set aside.
_MENTION_REJECTED = Regex(
    r"[,;]? ?\(?(?:and )?\b(?<!\bis |\bwas |\bare |\bwere |\bdo |\bdoes )(?:not|rather than|instead of) "
    r"((?:the )?(?:\p{Ll}+ )?\p{Lu}[^(),;]{0,80})\)?[.\s]*$",
    "u",
)
_MENTION_REASONS = Regex(r"\b(?:because|since|whereas|while)\b", "i")
_MENTION_DIGIT = Regex(r"\d")
_MENTION_POSSESSIVE = Regex(r"^'s?\s+\p{L}", "u")
_MENTION_QUOTED = Regex(r"""['"]\s*$""")
_MENTION_COPULA = Regex(r"(?:\b(?:is|was|are|be|named|called)\s*|[:=]\s*)$", "i")
_MENTION_OF = Regex(r"(\p{L}*) ?\bof\b", "iu")


def mentioned(text, own, others):
    """
    What a text says of the names in `own`; None where it holds none of them. "beside": another known entity is named as well;
    "unclear": what stands around the name may change what is said; "named" or "long".
    """
    if len(text) > _MENTION_LONGEST:
        return "long"
    rejected = _MENTION_REJECTED.search(text)
    if rejected is not None and rejected.start() > 0 and not _mention_spans(rejected[1], own, True):
        kept = text[: rejected.start()]
        return "named" if is_named(kept, own) else mentioned(kept, own, others)
    spans = _mention_spans(text, own, True)
    if not spans:
        return None
    strangers = [
        (start, end)
        for start, end in _mention_spans(text, others, False)
        if not any(s <= start and end <= e for s, e in spans)
    ]
    if strangers:
        reasons = _MENTION_REASONS.search(text)
        place = len(text) if reasons is None else reasons.start()
        return "unclear" if all(start > place for start, _ in strangers) else "beside"
    return _mention_around(text, spans)


def _mention_around(text, spans):
    before, after = text[: spans[0][0]], text[spans[-1][1] :]
    between = [text[spans[i][1] : spans[i + 1][0]] for i in range(len(spans) - 1)]
    around = " , ".join([before, *between, after])
    if _MENTION_ALTERNATIVES.test(around) or _MENTION_REFUTED.test(around) or _MENTION_DIGIT.test(around):
        return "unclear"
    # A quotation mark may close behind the name; an owner's apostrophe has its thing behind it.
    if _MENTION_POSSESSIVE.test(after) and not _MENTION_QUOTED.test(before):
        return "unclear"
    plain = _mention_leads_to(before) and _mention_describes(after) and all(map(_mention_silent, between))
    return "named" if plain else "unclear"


def _mention_silent(text):
    return all(word.folded in _MENTION_FILLERS for word in words_of(text))


def _mention_leads_to(before):
    """Whether what follows these words is their answer: "the planet", "the densest of them is", "Planet:"."""
    if _MENTION_OWNER.test(before):
        return True
    words = words_of(before)
    lower = all(w.raw == fold(w.raw) or i == 0 or w.folded in _MENTION_FILLERS for i, w in enumerate(words))
    if lower and _MENTION_COPULA.test(before):
        return True
    return _mention_silent(before) and all(_MENTION_GENITIVE.test(m[1]) for m in _MENTION_OF.all(before))


def _mention_describes(after):
    """Whether words behind a name only say more of it: "(moon of Saturn)", ", the seventh planet", "is the densest of them"."""
    if _mention_silent(after):
        return True
    rest = words_of(_MENTION_PLACE.sub("", after))
    names_more = any(w.raw != fold(w.raw) and w.folded not in _MENTION_FILLERS for w in rest)
    return not names_more and len(after) < 160 and _MENTION_DESCRIBES.test(after)


def _mention_spans(text, wanted, own):
    """
    Places where one of the names stands as whole words, at most six of them long. A symbol ("CO", "He") counts where it is one's
    own, and else in brackets alone, as many are words of English too.
    """
    words = words_of(text)
    spans, i = [], 0
    while i < len(words):
        for j in range(min(len(words), i + _MENTION_MOST_WORDS) - 1, i - 1, -1):
            start, end = words[i].start, words[j].end
            said = text[start:end]
            bracketed = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
            symbol = said in wanted.symbols and (own or bracketed)
            if symbol or not name_keys(said).isdisjoint(wanted.keys):
                spans.append((start, end))
                i = j
                break
        i += 1
    return spans
