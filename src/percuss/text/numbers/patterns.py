"""What stands around digits in clinical text: the expressions and word lists that numbers are read with."""

import re

from percuss.text.numbers.record import Comparator

__all__ = [
    "BOUNDING_SIGNS",
    "BOUNDING_WORDS",
    "CHANGE",
    "COMPARATOR",
    "COMPARED",
    "CONFIDENCE",
    "COUNTED",
    "DASHES",
    "DATE_SIGN",
    "DIGITS",
    "EVERY",
    "LASTS",
    "LISTING",
    "LIST_BEFORE",
    "NAMING",
    "NOT_COUNTED",
    "OF",
    "PLAIN",
    "SCALE",
    "SCALES",
    "SPREAD",
    "TO",
    "YEAR_BEFORE",
]

DIGITS = re.compile(r"\d")
PLAIN = re.compile(r"\d{1,3}(?:[,\u202f\u2009\u00a0 ]\d{3})+(?![\d,]*\d)(?:[.·]\d+)?|\d+(?:[.·]\d+)?")
DATE_SIGN = re.compile(
    r"\d[-/:.]\d|\d(?:st|nd|rd|th)?\s(?:of\s)?[JFMASOND][a-z]{2}|[JFMASOND][a-z]{2,8}\.?,?\s\d"
)
YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|of|from|until|till|year|by|after|before|during|to|and|early|late|mid)|[,(;–-])\s?$",
    re.IGNORECASE,
)
NAMING = frozenset(
    "type types stage grade class group category phase level tier lead leads figure fig. fig table section step room bed no. number case patient version "
    "chapter page exon exons codon factor vitamin chromosome trisomy day days week weeks month cycle visit arm cohort line zone segment hepatitis "
    "interleukin item question option note order part reference ref ref. ca".split()
)
LISTING = frozenset(
    {"o ", "d ", "r ", "h ", ", ", "- ", "– "}
    | {f"{digit}{dash}" for digit in "0123456789" for dash in "-–,"}
)
LIST_BEFORE = re.compile(
    r"\b(?:days|types|stages|grades|leads|weeks|exons)\s\d+(?:\s(?:to|and|or|through)\s|\s?[-–,]\s?)$",
    re.IGNORECASE,
)
COMPARED: tuple[tuple[Comparator, str], ...] = (
    ("<=", r"≤|<=|=<|at most|no more than|not more than|up to|maximum of|a maximum of"),
    (">=", r"≥|>=|=>|at least|no less than|not less than|minimum of|a minimum of"),
    ("<", r"<|less than|below|under|fewer than|lower than|smaller than"),
    (">", r">|more than|greater than|above|over|exceeding|exceeds|higher than|larger than"),
    ("~", r"~|≈|∼|about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca\.|some|close to"),
)
COMPARATOR = re.compile(
    "|".join(
        rf"(?P<c{i}>(?:(?<!\w)|(?=[<>≤≥~≈∼=]))(?:{words})\s?$)" for i, (_, words) in enumerate(COMPARED)
    ),
    re.IGNORECASE,
)
TO = re.compile(r"\s{0,3}(?:[-–—‐‑−]|to|through)\s{0,3}", re.IGNORECASE)
CHANGE = re.compile(
    r"\b(?:r[io]se[ns]?|increas\w+|f[ae]ll(?:en|s|ing)?|drop\w*|declin\w+|decreas\w+|improv\w+|went|gone|chang\w+|climb\w*|reduc\w+|titrat\w+|taper\w*"
    r"|grew|grown|shr[aiu]nk\w*|worsen\w*|up|down|switch\w*|progress\w*)\b[^.;\d]{0,60}\bfrom\s?$",
    re.IGNORECASE,
)
OF = re.compile(
    r"\s{1,3}(?:out\s{1,3})?of\s{1,3}(?:the\s|a\stotal\sof\s|his\s|her\s|their\s)?", re.IGNORECASE
)
CONFIDENCE = re.compile(r"\s?(?:%|percent)\s?(?:-\s?)?(?:CI\b|confidence|credib)", re.IGNORECASE)
SCALE = re.compile(r"\s?(million|billion|thousand)\b|([kK])(?![\w/])", re.IGNORECASE)
LASTS = re.compile(
    r"(?:the\s)?[\w.]+[\s-](?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|h|hr|min|d|wk)\b",
    re.IGNORECASE,
)
BOUNDING_SIGNS = frozenset("<>=≤≥~≈∼.")
BOUNDING_WORDS = frozenset(
    "than least most to of below under above over exceeding exceeds about approximately approx around roughly nearly almost circa ca some more".split()
)
EVERY = re.compile(r"\bq\.?\s?$", re.IGNORECASE)
SCALES = {"million": 1_000_000, "billion": 1_000_000_000, "thousand": 1000, "k": 1000}
COUNTED = re.compile(
    r"\s(?:(?:new|small|large|positive|enlarged|bilateral|left|right|separate|palpable|regional|axillary|lymph)\s){0,2}([a-z]{3,})",
    re.IGNORECASE,
)
SPREAD = re.compile(r"\s?(?:±|\+/-|\+-)\s?(\d+(?:\.\d+)?)")
NOT_COUNTED = frozenset(
    "was were and but for with has had his her its this that mm per are the from after before than which class"
)
DASHES = "-–—−‐‑"
