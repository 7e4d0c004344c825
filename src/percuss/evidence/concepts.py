"""How clinical text names the fields of a packet: paths to phrases.

A field that no row of the table covers is named by the words of its own path, so that any packet can be checked.
"""

import re
from functools import lru_cache

__all__ = ["GENES", "phrases"]

GENES = {
    "cd274": "cd274|pd-?l1|b7-?h1",
    "pdcd1": "pdcd1|pd-?1(?!\\w)",
    "pdcd1lg2": "pdcd1lg2|pd-?l2",
    "ctla4": "ctla-?4",
    "lag3": "lag-?3",
    "tigit": "tigit",
    "ido1": "ido-?1",
    "cd8a": "cd8a?(?!\\w)",
    "gzmb": "gzmb|granzyme[\\s-]b",
    "prf1": "prf1|perforin(?:[\\s-]1)?",
    "ifng": "ifng|ifn-?(?:γ|g\\b|gamma)|interferon[\\s-](?:γ|gamma)",
    "cxcl9": "cxcl-?9",
    "egfr": "egfr",
    "kras": "kras",
}
"""Gene symbols of the packet's panel with their common names, as patterns."""

# (pattern of a path's end, pattern of the words that name the field). The first row that fits the path names it, and
# the words of the path itself are added. Longer words win where two fields share some.
_TABLE: tuple[tuple[str, str], ...] = (
    (r"age(_years|_at_\w+)?$", r"age|aged|year[\s-]old|years[\s-]old|years of age"),
    (r"pack_years$", r"pack[\s-]?years?|smoking (?:exposure|burden|intensity)"),
    (
        r"tmb_silent\w*$",
        r"(?<!non)(?<!non-)silent (?:tmb|mutations?|mutation(?:al)? (?:load|burden)|tumou?r mutational burden)|synonymous mutations?",
    ),
    (
        r"tmb\w*$",
        r"(?:non-?silent |nonsynonymous )?(?:tmb|tumou?r mutation(?:al)? burden|mutation(?:al)? (?:load|burden))",
    ),
    (
        r"purity_(\w+)$",
        r"(?:tumou?r )?purity(?: (?:by|from|via) @@| estimates?| scores?| values?)?|@@(?: tumou?r)? purity|tumou?r (?:content|cellularity)",
    ),
    (r"contribut\w*\.pathology\b.*$|pathology_(?:contribution_)?percent$", r"@pathology"),
    (
        r"contribut\w*\.(?:transcriptomics|rna)\b.*$|(?:transcriptomics|rna)_(?:contribution_)?percent$",
        r"@transcriptomics",
    ),
    (r"contribut\w*\.clinical\b.*$|clinical_(?:contribution_)?percent$", r"@clinical"),
    (
        r"(?:io|active|fusion|fused|immune|proxy)_score$",
        r"(?:io|fusion|fused|immune|composite|proxy|active|overall|multimodal|(?:immunotherapy |io )?readiness)(?: (?:io|proxy|immune|fusion))? score",
    ),
    (
        r"tumou?r(?:_fraction|_percent|_content)?$",
        r"tumou?r(?: (?:content|fraction|cells|area|tissue|cellularity))?",
    ),
    (r"stroma\w*$", r"stromal?(?: (?:content|fraction|area|tissue))?"),
    (r"necro\w*$", r"necro(?:sis|tic)(?: (?:content|fraction|area|tissue))?"),
    (r"til_\w+$", r"tils?(?: (?:fraction|density|content))?|tumou?r[\s-]infiltrating lymphocytes?"),
    (r"lymphocyte_rich$", r"lymphocyte[\s-]rich(?: (?:area|fraction|regions?))?"),
    (r"sig_lymphocyte\w*$", r"lymphocyte[\s-]infiltration(?: (?:signature|score))*|leukocyte infiltration"),
    (r"sig_macrophage\w*$", r"macrophage(?:[\s/-]+csf-?1)?(?: (?:regulation|signature|score))*"),
    (r"sig_tgfb$", r"tgf-?(?:β|b|beta)(?: (?:response|signature|score))*"),
    (
        r"sig_ifn\w*$",
        r"(?:ifn-?(?:γ|gamma)|interferon[\s-](?:γ|gamma)) (?:response|signature|score)(?: score)?",
    ),
    (r"sig_wound\w*$", r"wound[\s-]healing(?: (?:signature|score))*"),
    (r"h(?:a)?emoglobin$|hgb$|hb$", r"h(?:a)?emoglobin|hgb|hb"),
    (r"hba1c$|a1c$", r"hba1c|hb ?a1c|a1c|glycated h(?:a)?emoglobin"),
    (r"creatinine$", r"(?:serum )?creatinine|scr"),
    (r"potassium$", r"(?:serum )?potassium|k\+"),
    (r"sodium$", r"(?:serum )?sodium|na\+"),
    (r"glucose$", r"(?:fasting |blood |plasma )*glucose|blood sugar"),
    (r"platelets?(?:_count)?$", r"platelets?(?: count)?|plt|thrombocytes?"),
    (r"wbc$|leu[ck]ocytes?$|white_\w+$", r"wbc|white (?:blood )?cells?(?: count)?|leu[ck]ocytes?"),
    (r"heart_rate$|pulse$|hr$", r"heart rate|pulse(?: rate)?|hr"),
    (r"respiratory_rate$|rr$", r"respiratory rate|rr"),
    (r"spo2$|oxygen_saturation$", r"spo2|o2 sat(?:uration)?|oxygen saturation"),
    (r"temperature$|temp$", r"temp(?:erature)?"),
    (r"systolic\w*$", r"systolic(?: (?:blood pressure|bp))?|sbp"),
    (r"diastolic\w*$", r"diastolic(?: (?:blood pressure|bp))?|dbp"),
    (r"weight$", r"weighs?|weight|body weight"),
    (r"height$", r"height|tall"),
    (r"bmi$", r"bmi|body[\s-]mass index"),
    (r"ejection_fraction$|lvef$|ef$", r"(?:left ventricular )?ejection fraction|lvef|ef"),
    (
        r"nodule_size$|lesion_size$|tumou?r_size$|mass_size$",
        r"(?:nodule|lesion|mass|tumou?r)(?: size| diameter)?",
    ),
)
_COMPILED = tuple((re.compile(path, re.IGNORECASE), words) for path, words in _TABLE)
_GENE_PATH = re.compile(
    r"(?:^|[._])(?:z_)?("
    + "|".join(sorted(GENES, key=len, reverse=True))
    + r")(?:_(?:tpm|z|zscore|expression|log2\w*))?$"
)
_PLAIN = frozenset("value percent pct fraction score count level per mb z sig amount number result".split())


@lru_cache(maxsize=4096)
def phrases(path: str) -> tuple[str, ...]:
    r"""Return patterns of the words that name a field, most telling first.

    Args:
        path: dotted path of a fact.

    Returns:
        Regular expressions without anchors; "@pathology" and the like stand for "that layer's contribution".

    >>> phrases("transcriptomics.z_prf1")[0]
    'prf1|perforin(?:[\\s-]1)?'
    >>> phrases("labs.serum_albumin")
    ('serum[\\s_-]albumin',)
    """
    low = re.sub(r"\.\d+(?=\.|$)", "", path.lower())
    gene = _GENE_PATH.search(low)
    if gene:
        return (GENES[gene[1]],)
    found = []
    for pattern, words in _COMPILED:
        match = pattern.search(low)
        if match:
            found.append(words.replace("@@", match[1]) if match.lastindex else words)
            break
    if found and found[0].startswith("@"):
        return tuple(found)
    own = _own_words(low)
    if own:
        found.append(own)
    if low.endswith("score"):
        found.append("scored?")  # a bare "score" may mean any of them
    return tuple(found)


def _own_words(path: str) -> str:
    """Return the path's own words; a last part that says only what kind of number it is takes its parent's with it."""
    parts = path.split(".")
    words = [word for word in re.split(r"[_\s-]+", parts[-1]) if word]
    telling = [word for word in words if word not in _PLAIN]
    if not telling and len(parts) > 1:
        words = re.split(r"[_\s-]+", parts[-2]) + words
        telling = words
    if not telling or not any(len(word) > 2 for word in telling):
        return ""
    trimmed = words if len(words) < 3 else telling
    return r"[\s_-]".join(re.escape(word) for word in trimmed)
