"""Which language a text is in, told by its commonest words: enough to know where readers of English were never tried."""

import re
from collections import Counter

__all__ = ["ENGLISH", "NAMES", "language_of"]

ENGLISH = "en"
NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "sv": "Swedish", "da": "Danish or Norwegian", "pl": "Polish", "cs": "Czech", "fi": "Finnish", "tr": "Turkish", "xx": "another script",
}  # fmt: skip
"""Code of a language -> its name; `xx` is a text that isn't in Latin letters."""

_COMMON = {
    "en": "the of and with are were has have been this that these not which there her his from who would should may by to for",
    "de": "der das und ist mit nicht ein eine einer einem einen eines dem den bei zum zur auf aus nach für wird wurde wurden sind kein keine "
    "keinen auch beim vom oder sich über unter liegt zeigt patientin jahre",
    "fr": "le la les des du une est et avec dans pour pas sur par qui que aux sont cette été chez au ce sans ans",
    "es": "el la los las del una es con por para que se su en como sin fue está más de años",
    "it": "il lo la gli di che è una con per non sono della del nel dei delle al dal un da anni",
    "pt": "os uma com não para que é em na dos das pelo pela foi está ao da um de anos",
    "nl": "de het een en van niet met voor zijn op aan bij wordt geen er ook uit naar heeft dat te jaar",
    "sv": "och är en ett med för på av inte som till har det den från vid utan år",
    "da": "og er en et med på af av ikke som til har det den fra ved uden uten år",
    "pl": "i w z na jest się nie do o po przez oraz dla bez lat u jako od",
    "cs": "a je v s na se není do po pro bez let u který která byl byla nebo při",
    "fi": "ja on ei ole että oli potilas potilaan myös sekä kun vuotias",
    "tr": "ve bir bu ile için olan hasta hastanın yok var değil olarak yaşında",
}
_LISTS: dict[str, tuple[str, ...]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        if len(_word) > 1:
            _LISTS[_word] = (*_LISTS.get(_word, ()), _language)

_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_FEWEST = 2
"""Common words of another language below which a text isn't told: names, Latin and French terms stand in English ones."""
_TIMES = 2
READ = 2_000
"""Characters of an answer that are looked at."""


def language_of(text: str) -> str:
    """Return the code of the language that a text is in; "" where too few of its words tell.

    Another language than English is told by at least two of its common words, more than twice as many as of English.

    Args:
        text: an answer or a passage; its first 2,000 characters are read.

    >>> language_of("The patient is 61 years old and has stage IIIA disease."), language_of("Age 61. Stage IIIA.")
    ('en', '')
    >>> language_of("Der Patient ist 61 Jahre alt, ein Stadium IIIA liegt vor.")
    'de'
    """
    text = text[:READ]
    words = _WORD.findall(text.lower())
    letters = sum(map(len, words))
    if letters and len(_LATIN.findall(text)) * 2 < letters:
        return "xx"
    found = Counter(language for word in words for language in _LISTS.get(word, ()))
    english = found.pop(ENGLISH, 0)
    other, count = max(found.items(), key=lambda one: one[1], default=("", 0))
    if count >= _FEWEST and count > _TIMES * english:
        return other
    return ENGLISH if english else ""
