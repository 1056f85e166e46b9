"""What stands before a value in an answer and adds nothing: "approximately", "The mean density of Uranus is"."""

from .jstext import trim
from .regex import Regex

_PHRASES_LEAD = Regex(
    r"^(?:(?:approximately|approx\.?|about|around|roughly|nearly|exactly|precisely|some|circa|ca\.?|etwa|ungefähr|rund|environ|aproximadamente|circa|около|примерно)(?= )|大?约|大?約|[~≈≃≅=:∼]) *",
    "iu",
)
# A copula, or "has a ... of".
_PHRASES_SUBJECT = Regex(
    r"^[^.!?;:=≈]{0,120}? ?(?:\b(?:is|are|was|were|equals|would be|comes to|amounts to|turns out to be)(?: equal to)?|\b(?:has|have|had) (?:an? |the )?[^\d.!?;:=≈]{1,80}? of|\bha(?:s|ve)|^(?:it|that)'s) (?=\S)",
    "i",
)
_PHRASES_POINTING = Regex(
    r"^(?:so,? |thus,? |therefore,? |hence,? )?(?:the|its|it|it's|this|that|that's|his|her|their|these|those|there|they|he|she)\b", "i"
)
# In a subject, these make what follows something else than the answer.
_PHRASES_OTHERWISE = Regex(
    r"\b(?:not|never|nor|or|if|unless|than|one thing|none|no|wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?|mistaken(?:ly)?|error|bound|limit|at least|at most|initial(?:ly)?|naive(?:ly)?|guess|nobody|know|knows|claims?|claimed|(?:might|may|could|would) (?:think|say|expect|have))\b",
    "i",
)
_PHRASES_LETTER = Regex(r"^\p{L}", "u")


def without_lead(text):
    """Without "approximately", "≈" and the like: one value, only not to the last digit."""
    rest = trim(text)
    for _ in range(3):
        lead = _PHRASES_LEAD.at(rest, 0)
        if lead is None:
            break
        rest = rest[lead.end() :]
    return rest


def complement(text, any_subject=False):
    """ "The mass is 18 kg" says 18 kg: a short subject, a copula, and what follows to the end.

    `any_subject` also takes "Uranus has a density of" apart, for values: of names the subject may be the answer.
    """
    match = _PHRASES_SUBJECT.search(text)
    if match is None or _PHRASES_OTHERWISE.test(match[0]):
        return text
    said = _PHRASES_POINTING.test(match[0]) or (any_subject and _PHRASES_LETTER.test(match[0]))
    return text[match.end() :] if said else text
