"""Judges the name of an entity: the name, an alias or a transliteration, alone or in a short sentence that names nobody else."""

from .jstext import SPACES, units
from .mention import mentioned
from .names import NameIndex, is_named, name_keys, other_script, others_index
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

_ENTITY_BEFORE = "\"'“”«»„(" + SPACES
_ENTITY_BEHIND = "\"'“”«»" + SPACES + ".!;,)"


def grade_entity(plain, expected):
    text = _entity_bare(plain)
    names = [units(name) for name in [expected["name"], *expected.get("aliases", ())]]
    others = others_index(map(units, expected.get("others") or ()))
    own = NameIndex(names, others.parts)
    if is_named(text, own):
        return verdict_right("equal", f"it names {names[0]}", plain)
    if is_named(text, others, own):
        return verdict_wrong("other_entity", "it names another entity", plain)
    mention = mentioned(text, own, others)
    if mention is not None:
        return _entity_verdict(mention, names[0], plain)
    if other_script(text, names):
        return verdict_undecided("other_script", "the name is in a script that the known names are not in", plain)
    if not name_keys(text):
        return verdict_undecided("unreadable", "there is no name", plain)
    return verdict_wrong("other_entity", f"it does not name {names[0]}", plain)


def _entity_bare(plain):
    """Without quotation marks and the like around it; a bracket that closes one inside stays."""
    rest = plain.lstrip(_ENTITY_BEFORE)
    text = rest.rstrip(_ENTITY_BEHIND)
    return text + ")" if ")" in rest[len(text) :] and "(" in plain else text


def _entity_verdict(mention, name, plain):
    if mention == "named":
        return verdict_right("equal", f"it names {name}", plain)
    if mention == "beside":
        return verdict_wrong("several_answers", "it names another entity beside", plain)
    if mention == "long":
        return verdict_undecided("unreadable", "the text is too long for a name", plain)
    return verdict_undecided("unreadable", "the name stands in a sentence that says more than the name", plain)
