"""Split a model's text into sentences without tripping over clinical abbreviations.

Every span holds `text[start:stop]` exactly; list markers, heading marks and outer white space are left out of it, inner
Markdown stays in. Time is linear in the length of the text (no pattern backtracks without a bound).
"""

import re
from collections.abc import Iterator

__all__ = ["is_finished", "is_heading", "split"]

Span = tuple[int, int]

# A line that starts a block of its own: a list marker, a heading mark, a quotation mark, a table row, a bold label.
_MARKER = re.compile(
    r"[ \t\u00a0>]*(?:#{1,6}[ \t]+)?"
    r"(?:(?:[-*+•‣◦▪●○·–—][ \t\u00a0]+)|(?:(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\(?[A-Z]\))[ \t\u00a0]+(?=\S)))?"
    r"(?:\[[ xX]\][ \t]+)?"
)
_NEWLINE = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CANDIDATE = re.compile(r"[.!?…。！？]{1,8}[)\]}\"'”’»*_]{0,6}")
_HAS_WORD = re.compile(r"\w")
_OPENERS = "([{\"'“‘«*_#>~<≥≤±+-–—•`|"
# Lower-case words that open a sentence all the same: pT2, mRNA, miR-21, eGFR, cTnT, p53, pH.
_CASELESS_START = re.compile(r"(?:p[TNHM]|[cy]T|mRNA|miR|eGFR|cT[nN]|p\d|β|α|γ)")

# Never the end of a sentence: something follows by nature.
_OPEN_ABBREVIATIONS = frozenset(
    "dr mr mrs ms prof st pt pts rev hon vs v cf eg e.g ie i.e viz fig figs eq eqs ref refs tab approx appr ca "
    "circa resp incl esp spp sp subsp var aff dept vol suppl ch sec pp para al.in gen gov sgt capt lt".split()
)
# An abbreviation only before a number.
_BEFORE_NUMBER = frozenset("no nos nr p art chap cat q grp lot ver sect ex".split())
# May stand at the end of a sentence: one ends here if a capital letter that can open a sentence follows.
_CLOSED_ABBREVIATIONS = frozenset(
    "q.d b.i.d t.i.d q.i.d q.h.s h.s p.o p.r.n i.v i.m s.c s.l p.r a.c p.c o.d o.s o.u a.m p.m n.p.o stat u.s u.k e.u "
    "u.s.a al etc hx dx rx tx sx fx bx ph.d m.d m.sc b.sc d.o m.p.h max inc ltd corp co jr sr dia temp wt ht abd neg pos diff ext int lat post ant bilat a.d b.c "
    "q.o.d q.w q.a.m q.p.m a.k.a w.r.t op cit ibid n.b o.d.s r.r b.p h.r w.b.c r.b.c hgb".split()
)
# Abbreviated units: no sentence ends in one before a number.
_UNITS = frozenset("mg ml kg mcg g hr hrs min mins sec secs wk wks yr yrs mo mos cm mm".split())
# Roman numerals and letters after these words are values, not the initials of a name: "Stage I. The", "vitamin C. The".
_GRADED = frozenset(
    "stage stages grade type class group phase tier level category vitamin hepatitis factor influenza subtype part "
    "appendix table protein mode arm cohort score child-pugh killip nyha".split()
)
# A capitalised word that opens a sentence; after "et al." or "etc." nothing else ends one.
_STARTERS = frozenset(
    "the a an this that these those it its he she they we i you his her their our in on at by for from with without "
    "of to as if when while although though however therefore thus hence overall given based no not none there here "
    "patient patients pathology rna clinical transcriptomics fusion stage tumor tumour specific available evidence "
    "key uncertainty limitations data both all most some such after before during since because despite additionally "
    "further furthermore moreover finally first second third also and but or then next to".split()
)


def split(text: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of a text, in order and without overlap.

    Args:
        text: any text; Markdown lists, labels and tables are understood, control characters are harmless.

    Returns:
        (start, stop) pairs, `text[start:stop]` being the sentence without outer white space or list marker. Headings are
        among them (see `is_heading`); spans without a letter or digit are not.

    >>> t = "Stage III. RNA n/a, approx. 61% tumor per Dr. Wu.  - given q.d. with food"
    >>> [t[a:b] for a, b in split(t)]
    ['Stage III.', 'RNA n/a, approx. 61% tumor per Dr. Wu.', '- given q.d. with food']
    """
    spans: list[Span] = []
    for start, stop in _blocks(text):
        spans.extend(_sentences(text, start, stop))
    return tuple(spans)


def is_heading(sentence: str) -> bool:
    """Tell whether a span is a heading or a bare label, so nothing that could be checked.

    Args:
        sentence: a span of `split`. "**Key evidence:**" is one, "**Tier:** Hot" is not, nor is anything with a digit.
    """
    bare = sentence.strip("*_#`~ \t|")
    if not bare or any(character.isdigit() for character in bare) or len(bare) > 90:
        return False
    if bare.endswith((":", "：")):
        return bare.count(" ") < 12 and not bare.rstrip(":").rstrip("*_ ").endswith(".")
    marked = sentence.startswith(("**", "__", "#")) and sentence.endswith(("**", "__"))
    return marked and ":" not in bare and bare[-1] not in ".!?" and bare.count(" ") < 8


def is_finished(sentence: str) -> bool:
    """Tell whether the last sentence of a reply that was cut at max_tokens is whole.

    It is if it ends in a full stop, exclamation or question mark. A stop right after a digit may be a cut decimal ("0."),
    so it does not count.
    """
    bare = sentence.rstrip("*_)]}\"'”’ \t")
    if not bare or bare[-1] not in ".!?。！？":
        return False
    return not (bare[-1] == "." and len(bare) > 1 and bare[-2].isdigit())


def _blocks(text: str) -> Iterator[Span]:
    """Yield the spans of lines, soft-wrapped ones joined, markers left out."""
    start = 0
    held: Span | None = None
    cuts = [(m.start(), m.end()) for m in _NEWLINE.finditer(text)]
    cuts.append((len(text), len(text)))
    for stop, following in cuts:
        begin = _marker_end(text, start, stop)
        wrapped = (
            held is not None
            and begin == _first_ink(text, start, stop)
            and _continues(text, held, begin, stop)
        )
        if wrapped and held is not None:
            held = (held[0], stop)
        else:
            if held is not None:
                yield held
            held = (begin, stop) if begin < stop else None
        start = following
    if held is not None:
        yield held


def _marker_end(text: str, start: int, stop: int) -> int:
    match = _MARKER.match(text, start, stop)
    return match.end() if match else start


def _first_ink(text: str, start: int, stop: int) -> int:
    while start < stop and text[start].isspace():
        start += 1
    return start


def _continues(text: str, held: Span, begin: int, stop: int) -> bool:
    """Tell whether a line goes on with the sentence of the line before (hard-wrapped prose)."""
    if begin >= stop or not text[begin].islower():
        return False
    before = (
        text[held[0] : held[1]].rstrip()
        if held[1] - held[0] < 400
        else text[held[1] - 400 : held[1]].rstrip()
    )
    return len(before) >= 40 and before[-1] not in ".!?:;|"


def _sentences(text: str, start: int, stop: int) -> Iterator[Span]:
    """Yield the sentences of one block."""
    begin = start
    depth_from, depth = start, 0
    for match in _CANDIDATE.finditer(text, start, stop):
        end = match.end()
        depth += text.count("(", depth_from, end) - text.count(")", depth_from, end)
        depth_from = end
        if end >= stop or not _ends_sentence(text, begin, match.start(), end, stop):
            continue
        if depth > 0 and text.find(")", end, min(stop, end + 200)) != -1:
            continue
        depth = 0
        yield from _trimmed(text, begin, end)
        begin = end
    yield from _trimmed(text, begin, stop)


def _trimmed(text: str, start: int, stop: int) -> Iterator[Span]:
    """Yield the span without outer white space, wrapped emphasis and table bars, if a word is in it."""
    while start < stop and (text[start].isspace() or text[start] == "|"):
        start += 1
    while stop > start and (text[stop - 1].isspace() or text[stop - 1] == "|"):
        stop -= 1
    if _HAS_WORD.search(text, start, stop):
        yield start, stop


def _ends_sentence(text: str, begin: int, mark: int, end: int, stop: int) -> bool:
    """Decide whether the mark at `mark` (its closers end at `end`) ends a sentence."""
    character = text[mark]
    if character in "。！？":
        return True
    if not text[end].isspace():
        return False
    after = _first_ink(text, end, min(stop, end + 64))
    if after >= stop:
        return True
    follower = text[after]
    if follower.islower() and not _CASELESS_START.match(text, after):
        return False
    if character in "!?" or (mark + 1 < end and text[mark + 1] in ".!?"):
        return True
    return _full_stop_ends(text, begin, mark, after, stop)


def _full_stop_ends(text: str, begin: int, mark: int, after: int, stop: int) -> bool:
    """Decide on one full stop by the word before and the word after it."""
    low = max(begin, mark - 24)
    start = mark
    while start > low and not text[start - 1].isspace() and text[start - 1] not in '([/“"*_:,;':
        start -= 1
    word = text[start:mark]
    lower = word.lower()
    follower = text[after]
    capitals = (
        len(word) > 1 and word.isupper()
    )  # "PT." and "ED." are words, "Pt." and "ed." are abbreviations
    if lower in _OPEN_ABBREVIATIONS and not capitals:
        return False
    if follower.isdigit() and (lower in _BEFORE_NUMBER or lower in _UNITS or lower == "al"):
        return False
    if word.isdigit() and len(word) <= 2 and _starts_item(text, begin, start):
        return False  # "2. Stroma 24%": the number of a list item inside a line
    if lower in _CLOSED_ABBREVIATIONS:
        return _opens(text, after, stop)
    if len(word) == 1 and word.isupper():
        return _before(text, begin, start) in _GRADED or _is_unit(text, begin, start, word)
    return True


def _is_unit(text: str, begin: int, start: int, letter: str) -> bool:
    """Tell whether a capital is a unit and no initial of a name: 70 g/L, 5 L, 38 C."""
    if text[begin:start].endswith("/"):
        return True
    return letter in "LCF" and text[max(begin, start - 8) : start].rstrip()[-1:].isdigit()


def _starts_item(text: str, begin: int, start: int) -> bool:
    """Tell whether nothing, or a label with a colon, stands before `start`."""
    while start > begin and (text[start - 1].isspace() or text[start - 1] in "(*_"):
        start -= 1
    return start == begin or text[start - 1] == ":"


def _opens(text: str, after: int, stop: int) -> bool:
    """Tell whether a known sentence opener, a bullet or a bold label stands at `after`."""
    while after < stop and text[after] in _OPENERS:
        after += 1
    end = after
    while end < stop and end - after < 24 and (text[end].isalnum() or text[end] == "'"):
        end += 1
    return text[after:end].lower() in _STARTERS and text[after : after + 1].isupper()


def _before(text: str, begin: int, start: int) -> str:
    """Return the word before `start`, lower case, without punctuation."""
    stop = start
    while stop > begin and not text[stop - 1].isalnum():
        stop -= 1
    first = stop
    while first > begin and stop - first < 16 and (text[first - 1].isalpha() or text[first - 1] == "-"):
        first -= 1
    return text[first:stop].lower()
