"""Months in English, German, French, Spanish, Italian, Portuguese and Dutch."""

from .plain import fold

# Folded; three letters or more of a name stand for it.
_MONTHS = (
    ("january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari"),
    ("february", "februar", "fevrier", "febrero", "febbraio", "fevereiro", "februari"),
    ("march", "marz", "maerz", "mars", "marzo", "marco", "maart"),
    ("april", "avril", "abril", "aprile"),
    ("may", "mai", "mayo", "maggio", "maio", "mei"),
    ("june", "juni", "juin", "junio", "giugno", "junho"),
    ("july", "juli", "juillet", "julio", "luglio", "julho"),
    ("august", "aout", "agosto", "augustus"),
    ("september", "septembre", "septiembre", "settembre", "setembro"),
    ("october", "oktober", "octobre", "octubre", "ottobre", "outubro"),
    ("november", "novembre", "noviembre", "novembro"),
    ("december", "dezember", "decembre", "diciembre", "dicembre", "dezembro"),
)


def month_of(name):
    """1 to 12 for a month's name or its first letters, else None."""
    key = fold(name)
    for i, names in enumerate(_MONTHS):
        if key in names:
            return i + 1
    if len(key) > 4:
        return None
    starts = [i + 1 for i, names in enumerate(_MONTHS) if any(n.startswith(key) for n in names)]
    return starts[0] if len(starts) == 1 else None
