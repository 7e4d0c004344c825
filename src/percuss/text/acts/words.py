"""The words by which a sentence shows what it does; flat patterns with bounded repeats, linear in the text."""

import re

from percuss.text.cued import Cued

__all__ = [
    "ABSTRACT",
    "ADVICE",
    "AIM",
    "APPRAISAL",
    "ASKED_HEADING",
    "COURTESY",
    "DECLINED",
    "DISEASE",
    "DUTY",
    "GENERIC",
    "GENERIC_KIND",
    "GENERIC_VERB",
    "HABIT",
    "HEDGE",
    "IDENTITY",
    "IMPLIES",
    "LACK",
    "LEVEL",
    "LIKELIEST",
    "LIMIT",
    "MANY",
    "ORDER",
    "PAST",
    "PERSON",
    "PRAISE",
    "PRESENTED",
    "REASON",
    "RELATIVE",
    "RESULT",
    "SHOWS",
    "SIDE",
    "SOMEBODY",
    "STATE",
    "STUDY",
    "SUBJECT",
    "SUMMED",
    "TASK",
    "TOLD",
    "USUAL",
    "VERB",
]  # fmt: skip


_any = Cued
"""One of several, whatever the case of its letters."""


_ONE = "patient|man|woman|child|boy|girl|infant|baby|neonate|toddler|teenager|lady|gentleman|individual|case|mother|newborn|person|family|father|wife|husband|daughter|son|parents|sister|brother"
PERSON = _any(
    rf"\b(?:the|this|our|that|said)\s(?:[\w-]{{1,16}}\s){{0,2}}?(?:{_ONE})(?:['’]s)?\b",
    r"\bpatient['’]?s?\s?(?:[\w-]{1,16}\s){0,2}:",
    r"\b(?:he|she|his|her|hers|him|himself|herself|mr|mrs|ms)\b|^\W*(?:they|their)\b|\b(?:is|was)\san?\s(?:[\w-]{1,16}\s){0,3}patient\b",
    r"\byears?[\s-]olds?\b|\baged?\s\d",
    r"\bpatient\s(?:[\w-]{1,12}[\s:])?(?:is|was|has|had|reports|denies|presents|takes|remains)\b",
)
"""Somebody whom the sentence is about."""
SOMEBODY = _any(r"\b(?:he|she|his|her|hers|him|himself|herself|mr|mrs|ms)\b")
"""A person who is not just called the patient."""
SHOWS = _any(r"\b(?:shows?|reveals?|demonstrates?|grows?|confirms?)\b")
"""What a test does when it has a result."""
STUDY = _any(
    r"\b(?:the|this|our|that)\s(?:[\w-]{1,16}\s){0,2}?(?:study|studies|trial|abstract|passage|report|article|review|survey|authors?|cohort|series|experiments?)\b",
    r"\b(?:we|both groups|all groups|the controls)\b|\bof the \d+\b|\bp\s?[<=>]\s?0?\.\d",
)
"""A study that is the case, where the evidence is a passage."""

HEDGE = _any(
    r"\b(?:may|might|could)\s(?!not\s(?:be\s)?(?:determin|assess|find|say|tell))(?:well\s|also\s|not\s|have\s|be\s|also\sbe\s)?[a-z]",
    r"\b(?:possibly|probably|perhaps|presumably|maybe|potentially|conceivably|apparently|supposedly|seemingly|arguably|likely|unlikely|likeliest)\b",
    r"\b(?:suspected|suspicious|suspicion of|suspect|suspects|presumed|questionable|query|probable|possible|conceivable|plausible|tentative|differential)\b",
    r"\b(?:suggest(?:s|ed|ing)?|suggestive|hints?(?:\sat|\sthat)?|hinting|points?\s(?:to|towards?)|pointing\sto|argues?\sfor|speaks?\sfor|favou?rs?|favou?red)\b",
    r"\b(?:consistent|compatible|in\skeeping|in\sline|fits?|fitting)\s(?:best\s|well\s)?with\b|\b(?:best|good|better)\sfit\b",
    r"\b(?:seems?|seemed|appears?|appeared|looks?\s(?:like|as)|sounds\slike)\b(?!\son\b|\sin\s(?:the\s)?(?:film|scan|image))",
    r"\b(?:should|must|needs?\sto|has\sto|can|to)\s(?:also\s)?be\s(?:considered|suspected|thought\sof|borne\sin\smind)\b|\bconsider(?=\s\w+\s(?:as|the cause))",
    r"\b(?:can(?:not|['’]t|\snot)|could\snot)\s(?:be\s)?(?:excluded?|ruled?\sout)\b|\bnot\s(?:be\s)?excluded\b",
    r"\b(?:would|might|may)\s(?:explain|account\sfor|fit)\b|\bi\s(?:think|believe|suspect|assume|guess)\b|\bwe\ssuspect\b",
    r"\b(?:a|some)\s(?:high|low|good|fair|strong|real|small)?\s?(?:likelihood|probability|chance|possibility)\b",
    r"\b(?:tops|leads|heads)\sthe\s(?:list|differential)\b|\bcomes\s(?:first|second|third|next)\b|\bimprobable\b|\b(?:lean|leaning)\stowards?\b|\bworr(?:ying|isome)\sfor\b|\b(?:one|i|we)\swould\sthink\sof\b",
    r"\bin\sall\s(?:likelihood|probability)\b|\b(?:is|are|was|were)\s(?:thought|believed|felt|assumed|expected|feared|judged)\sto\b|\brais(?:es?|ed|ing)\s(?:the\s|a\s)?(?:question|suspicion|possibility|concern)\b",
    r"\b(?:some|an?|every|the)\s(?:\w+\s)?suggestion\s(?:that|of)\b|\b(?:not|n['’]t)\srule\s(?:it\s)?out\b|\bit\s(?:is|was)\s(?:thought|believed|assumed|suspected|felt|feared)\sthat\b",
    r"\b(?:high|low|first|top)\son\sthe\s(?:list|differential)\b|\bconcern\s(?:for|about)\b|\b(?:would|could)\sgo\swith\b|\bnot\sout\sof\sthe\squestion\b|\bcan\sbe\sexplained\sby\b|\bmakes?\s(?:one|me|us)\s(?:wonder|think)\b|\bi\slean\sto\b|\bone\shas\sto\sthink\sof\b",
)
"""Likely, possible, suggested, consistent with."""
LIKELIEST = re.compile(
    r"\b(?:most\slikely|likeliest|most\sprobable|probable|working|likely|leading|best)\s(?:\w+\s)?(?:diagnosis|cause|explanation|condition)\s(?:is|would\sbe|seems|remains)\b",
    re.IGNORECASE,
)
"""A name that is said to be the likeliest one; what kind of disease it is, is no knowledge then."""
REASON = re.compile(
    r"\b(?:as\s(?:evidenced|shown|supported|confirmed|indicated|suggested)\sby|given\s(?:the|her|his|their|that)|in\sview\sof|due\sto\sthe\spresence|as\sthe\s(?:patient|man|woman|child|boy|girl)\s(?:has|had|is|was)|because\s(?:the|she|he)\s|since\s(?:the\s\w+|she|he)\s(?:has|had|is|was))\b",
    re.IGNORECASE,
)
"""What a likely name rests on, said as a fact."""

_DATA = (
    r"(?:data|evidence|information|info|details?|records?|reports?|results?|findings?|documentation|notes?|values?|measurements?|history|status|test|tests|testing|imaging"
    r"|scans?|images?|films?|radiographs?|x-?rays?|spirometry|transcriptom\w+|sequencing|profil\w+|panels?|biops(?:y|ies)|patholog\w+|cultures?|serology|counts?|levels?|scores?|grades?|grading"
    r"|staging|stage|tier|purity|age|sex|gender|date|dates|dose|doses|weight|height|echocardiogram|echo|ecg|ekg|eeg|ct|mri|ultrasound|labs?|laborator\w+|lipids?|letter|letters|chart"
    r"|medications?|medication list|drug list|rna|expression|mutations?|genotype|markers?|follow-?up|vital signs|vitals|blood count|titres?|titers?|file|source|context|packet|layers?|section|reading|readings)"
)
_MEASURED = rf"(?!(?:evidence|history|findings?|mutations?|expression|stage|grade|markers?|reading)\b){_DATA}"
_SAID = (
    r"(?:availab\w{2}|said(?!\sto\b)|assess(?:able|ed)|known|provided|reported|recorded|specified|documented|given|supplied|included|disclosed|stated|mentioned|shown\sto\sme|listed|noted\sdown|described"
    r"|submitted|charted|measured|tested|checked|assessed|quantified|typed|sequenced|noted|dated|addressed|covered|discussed|explained|evaluated|written|revealed|identifiable|there|here|in\sfront\sof|among|part\sof|at\shand|written\sdown|indicated|determined|determinable|clear|on\s(?:file|record)|in\sthe\s(?:record|chart|notes|file|packet|evidence|passage|abstract|report|letter|data)|told|named|spelled\sout|detailed|attached|back\syet|to\shand|accessible|supplied)"
)
_NO = r"(?:no|not\sany|neither|nor|without\sany|none\sof\sthe)"
_SOURCE = r"(?:record|records|chart|notes?|file|packet|evidence|passage|abstract|report|letter|data|summary|vignette|text|case|article|history|documentation|source|information|paper|study|dossier)"
LACK = _any(
    rf"\b(?:is|are|was|were|has|have|had|been|be|remains?|s)?\s?(?:not|n['’]t|never)\s(?:yet\s|been\s|\w{{2,14}}ly\s|otherwise\s|further\s|even\s){{0,3}}{_SAID}(?![\w-])",
    rf"(?:isn|aren|wasn|weren|hasn|haven)['’]t\s(?:yet\s|been\s|\w{{2,14}}ly\s|even\s){{0,3}}{_SAID}(?![\w-])",
    r"\b(?:un|non-?)(?:available|assessable|known|reported|specified|documented|recorded|stated|clear\s(?:whether|if|when|from|how|what))\b(?!\s(?!in\b|for\b|at\b|and\b|or\b|from\b|to\b|because\b|whether\b|if\b|when\b|due\b|on\b|as\b|yet\b|here\b|so\b|but\b|which\b|with\b|how\b|what\b|where\b|who\b|since\b)[a-z])|\bundisclosed\b|\bn/a\b|\bnot applicable\b",
    r"(?:\b(?:is|are|was|were|remains?|all|still|be|also)|[:,]|^[\w\s,/()-]{3,60}[:\u2013\u2014-])\s?(?:still\s|all\s|also\s|both\s|entirely\s|completely\s)?(?:missing|lacking|absent from|outstanding|pending|awaited|blank)\b",
    r"\bwhat(?:['’]s|\s(?:is|are|remains))\s(?:missing|lacking|not\s\w+|absent|unknown|unclear)\b|\bmissing\s(?:data|information|evidence|items?|values?|piece|parts?|details?|are|is|from)\b|\b(?:is|are)\smissing\b",
    rf"\b{_NO}\s(?:[\w/-]{{1,24}},?\s){{0,5}}?{_DATA}\b(?:\s(?:of|on|for|about|from)\s[\w\s-]{{1,40}}?)?\s(?:is|are|was|were|has\sbeen|have\sbeen)\s(?:yet\s|currently\s|ever\s)?(?:available|provided|given|reported|recorded|documented|included|supplied|present|stated|listed|shared|on\s|in\sthe|at\shand)",
    rf"\b{_NO}\s(?:[\w/-]{{1,24}}\s){{1,5}}?(?:is|are|was|were|has\sbeen|have\sbeen)\s(?:yet\s|currently\s|ever\s)?(?:available|provided|given|reported|recorded|documented|included|supplied|stated|listed|shared|described|mentioned|on\sfile|on\srecord|in\sthe\s{_SOURCE})\b",
    rf"\bthere(?:['’]s|\s(?:is|are|was|were)|\sisn['’]t|\saren['’]t)\s(?:also\s|currently\s)?(?:no|not|any)\s?(?:[\w/-]{{1,24}}\s){{0,4}}?(?:data|information|info|documentation|mention|(?:notes?|records?|results?|details?|reports?|measurements?|values?)\s(?:for|of|on|about|in|from|available)\s|{_MEASURED}\s(?:for|available)\s)",
    rf"\bthere(?:['’]s|\s(?:is|are|was|were)|\sisn['’]t|\saren['’]t)\s(?:also\s|currently\s)?(?:no|not|any)\s?(?:[\w/-]{{1,24}}\s){{0,4}}?{_MEASURED}\W*$",
    rf"\bthere\s(?:is|are|was|were)\sno\s[\w\s/-]{{2,50}}?\s(?:on\sfile|on\srecord|in\sthe\s{_SOURCE}|available|to\shand|recorded|documented)\b",
    rf"\b(?:the|this|his|her|their|my|that)\s(?:\w+\s)?{_SOURCE}\s(?:(?:does|do|did)\s?(?:not|n['’]t)|doesn['’]t|don['’]t|didn['’]t|never)\s(?:say|tell|state|mention|give|show|include|contain|report|specify|record|describe|provide|name|list|document|indicate|reveal|cover|disclose|note|comment|address)\b",
    rf"\b(?:the|this|his|her|their|that)\s(?:\w+\s)?{_SOURCE}\s(?:gives?|contains?|has|have|holds?|provides?|includes?|offers?|lists?|mentions?|shows?|lacks?|says?|omits?|is\ssilent|are\ssilent)\s(?:no\b|nothing\b|neither\b|on\b|about\b|(?:any|the|a|an|his|her)\b(?=.{{0,40}}\bonly\b))",
    rf"\b(?:the|this|his|her|their|that)\s(?:\w+\s)?(?:{_SOURCE}|patient)\s(?:lacks?|omits?|is\smissing|are\smissing|is\ssilent|are\ssilent)\b",
    r"\b(?:it\s(?:is|was|remains)|it['’]s|it\sisn['’]t|it\swasn['’]t)\s?(?:not\s|un)?(?:\s?yet\s)?(?:known|clear|recorded|stated|documented|said|reported|specified|mentioned|told|described|given)\s(?:whether|if|when|where|how|what|which|who|why|since)\b",
    r"\b(?:I|we|one|nobody|no\sone)(?:['’]m|\sam|\sare)?\s(?:(?:could|can)?\s?(?:find|see|found|have|had|know|knows|was\sgiven|were\sgiven|got|get)\s(?:no|nothing|neither|whether)\b|(?:do\snot|don['’]t|did\snot|didn['’]t|cannot|can['’]t|can\snot|couldn['’]t|could\snot|am\snot|not|unable\sto|not\sable\sto)\b)",
    r"(?:\b(?:insufficient|inadequate|not\senough|no\s(?:further|other|additional|specific)|incomplete)|n['’]t\senough|\btoo\slittle)\s(?:[\w/-]{1,24},?\s){0,4}?(?:data|evidence|information|info|details?|records?|documentation|context)\b",
    r"\b(?:cannot|can['’]t|can\snot|could\snot|couldn['’]t|not\spossible\sto|impossible\sto|no\sway\sto)\s(?:be\s)?(?:\w{2,16}ly\s)?(?:determin|assess|establish|answer|be\ssaid|said|tell|told|comput|calculat|summari|describ|evaluat|conclud|judg|confirm|verif|know|stat|stag|say|infer|estimat|assign)\w{0,5}",
    r"\bmissing\b(?!\s(?:teeth|tooth|limbs?|digits?|fingers?|toes?|doses?|periods?))|\bun(?:mentioned|stated|told|recorded|known\squantity)\b|\b(?:is|are|was|were|been)\s(?:left\s(?:out|blank|open)|omitted|redacted|illegible)\b|\b(?:not\ssufficient|unanswered|open\squestion|anyone['’]s\sguess|to\sbe\sdetermined)\b",
    r"\b(?:no|not\sa)\s(?:word|mention|trace|account|details?|record|note|report|result|description|documentation|statement)s?\s(?:of|on|about|for|as\sto|from|in)\b|\bnothing\s(?:\w+\s){0,2}(?:about|on|of|regarding|concerning|said|known|recorded|written|given|there)\b",
    r"\b(?:data|information|details?|records?|results?)\s(?:on|of|for|about|from)\s[\w\s-]{2,40}\s(?:is|are|was|were)\s(?:lacking|limited|scarce|sparse|scant|incomplete|missing|absent)\b|\b(?:limited|scarce|sparse|scant|little)\s(?:data|information|details)\b",
    rf"\b(?:the|this)\s{_SOURCE}\s(?:leaves?\sout|skips)\b",
    r"\b(?:we|they|I|you|authors?|it)\s(?:still\s)?(?:lack\b|lacks\b|(?:do\snot|don['’]t|does\snot|doesn['’]t|did\snot|didn['’]t|never)\s(?:say|tell|state|mention|report|specify|describe|give|name|know|document|record|explain)\b)|\b(?:nobody|no\sone|nowhere)\b.{0,30}\b(?:recorded|noted|knows|says|wrote|documented|measured|asked|mentioned|said|stated)\b",
    r"^\W*no\s(?:[\w/-]{1,24}\s){1,5}(?:given|stated|reported|recorded|provided|available|documented|listed|mentioned|supplied|specified|on\sfile|on\srecord|to\shand)\W*$|\bonly\s(?:[\w-]{1,20}\s){1,5}(?:is|are|was|were)\s(?:known|given|available|provided|recorded|reported|listed)\b|\bthe\sonly\s(?:information|data|evidence|detail)\b",
    r"\b(?:lack|absence)\sof\s(?:[\w/-]{1,24},?\s){0,3}?(?:data|information|evidence|details?|records?|documentation)\b(?!\sof\b)|^\W*(?:missing|lacking|not available|not provided|not reported|not documented|unknown|not given|not recorded)\b",
    r"\b(?:no|without)\s(?:[\w/-]{1,24}\s){0,3}?(?:data|information|info|documentation|records?|notes?|mention)\b(?!\sof\s(?:a\s)?(?:disease|infection|metasta))",
    rf"\b(?:would|will|do|still)\s(?:also\s)?(?:need|require)s?\s(?:to\s(?:see|know|have)\s)?(?:the|an?|his|her|more|further)\s(?:[\w-]{{1,20}}\s){{0,4}}{_DATA}\b|\b(?:none|nothing|neither)\sof\s(?:these|this|them|that|it)\b|\bnone\sis\shere\b",
    r"\b(?:the\s)?(?:packet|record|chart|file|evidence|dossier)\s(?:[\w\s]{0,20})?(?:is|was|are|were)\s(?:empty|blank|thin|incomplete|missing|absent)\b|\bnot\senough\sis\sknown\b|\bI\s(?:would\shave\sto\sguess|won['’]t|will\snot|would\srather\snot|must\sdecline)\b|\bnothing\s(?:can\sbe|is|was|has\sbeen|on\swhich|about|in\sthe)\b",
    r"\bno\sevidence\b(?!\s(?:of|that|to\ssuggest|suggesting|for(?!\s(?:this|the|her|his)\s(?:patient|case|child|man|woman))|against)\b)|\b(?:I|we)\s(?:was|were|have|had)(?:\sbeen)?\s?(?:not|n['’]t|never)\b|\b(?:I|we)\s(?:wasn|weren|haven|hadn)['’]t\b",
    r"\bnothing\s(?:to\s(?:go|summari|base|say|work|describe|answer)|here|attached|with\sthe)\w*|\byou\s(?:haven['’]t|have\snot|didn['’]t|did\snot)\b|^\W*(?:no\sidea|no\scomment|unable\sto|not\sable\sto|impossible\sto)\b",
    r"\b(?:information|data|evidence|records?|chart|documents?|documentation|text|passage|file|folder|letter|message|attachment|notes?)\s(?:is|are|was|were)\s(?:\w+ly\s|too\s|not\s)?(?:insufficient|inadequate|lacking|limited|empty|blank|sparse|thin|enough|sufficient)\b",
    r"\bno\s(?:\w+\s)?(?:conclusions?|summary|answer|statement|judg[e]?ment|assessment|description|comment|inference)\s(?:\w+\s)?(?:can|could|is|are|was)\b|\b(?:cannot|can['’]t|could\snot|couldn['’]t)\sbe\s(?:given|drawn|made|opened|reached|read)\b",
    r"\bwhat\s(?:i|we)\s(?:was|were|have|had)\s(?:been\s)?(?:given|sent|told|shown|provided)\b|\bnot\s(?:something|anything)\s(?:that\s)?the\s(?:notes|record|chart|file|letter|report)\b|n['’]t\ssomething\s(?:that\s)?the\s(?:notes|record|chart|file|letter|report)\b",
    r"\b(?:has|have)\syet\sto\sbe\s\w+ed\b|\bhistory\s(?:was|has\sbeen)\snot\s(?:taken|asked)|:\s?not\s(?:asked|taken|sent|done)\b|\b(?:layer|section|field|column|folder|form)s?\s(?:is|are|was|were)\s(?:empty|blank)\b|\b(?:go(?:es)?|went)\sunreported\b",
    r"\b(?:has|have|had)\snot\s(?:yet\s)?(?:come\sback|arrived)\b|\b(?:is|are|was|were)\san?\s(?:blank|gap)\W*$|\bmade\sit\sinto\sthe\s(?:file|record|notes|chart)\b",
    r"\b(?:need|require)s?\s(?:more|further|additional)\s(?:information|data|details|context)\b|\bwould\sbe\s(?:needed|required|necessary)\b|\bthere\s(?:is|was|are|were)\sno\s(?:\w+\s)?(?:file|record|chart|document|attachment|case\sfile|letter|patient)\b|\b(?:record|chart|letter|notes?|passage|text)\s(?:ends?|stops?|breaks?)\b",
)
"""That something isn't there, isn't told, or can't be told from what is there."""
PRESENTED = _any(
    rf"\b(?:the|this|that|my|available)\s(?:[\w-]{{1,16}}\s){{0,2}}?(?:{_SOURCE}|context)\s(?:also\s|only\s)?(?:includes?|contains?|provides?|lists?|covers?|comprises?|consists?\sof|gives?|holds?|has|have|offers?)\s(?=(?:only\s|both\s|also\s)?(?:the|a|an|his|her|data|information|details?|results?|laboratory|his|their|patient|clinical|rna|pathology)\b)",
    r"^[^,;:]{3,80}\s(?:is|are|was|were)\s(?:all\s|also\s|both\s)?(?:available|on\sfile|on\sthe\ssystem|provided|supplied|included|enclosed|attached|on\srecord)\W*(?:$|for\b|in\sthe\b|from\b|to\b)",
    r"\b(?:record|records|chart|notes?|file|packet|evidence|letter|dossier|data|summary)\s(?:has|lists|holds|contains|includes|gives|covers|comes\swith|comprises)\s[a-z]",
    rf"\b{_DATA}\s(?:is|are|was|were)\s(?:available|provided|given|on\sfile|included|supplied|present\sin\sthe|listed|recorded\sin\sthe)\b",
    r"\b(?:is|are|was|were|has\sbeen)\s(?:also\s|well\s|clearly\s|fully\s|briefly\s)?(?:described|outlined|summari[sz]ed|documented|detailed|provided|discussed|explained)\s(?:in\s(?:detail|full|the\s(?:notes?|record|chart|letter|summary|text|case|history))|here\b|above\b|below\b)",
    rf"\bthere\s(?:is|are)\s(?:[\w-]{{1,20}}\s){{0,3}}{_DATA}\s(?:available|on\sfile|in\sthe\s{_SOURCE})\b|\bi\s(?:have|was\sgiven|can\ssee)\s(?:the|his|her|a|an|access)\b",
)
"""That something is there, without its value."""

PRAISE = _any(
    r"\b(?:prime|compelling|perfect)\sexamples?\b|\btestament\b|\bsupports?\sthe\sidea\b|\bthe\sneed\sfor\b|\bin\sthe\sfight\sagainst\b|\bof\s(?:great|utmost|paramount)\simportance\b",
    r"\bhighlights?\sthe\s(?:importance|need)\b|\bpivotal\srole\b|\bcontains?\s(?:critical|sensitive|valuable|important|crucial)\s(?:information|data|insights)\b|\bfurther\s(?:studies|research|work)\s(?:is|are)\b",
)
"""Praise, which nobody can check, whatever it is said of."""
APPRAISAL = _any(
    r"\b(?:key|promising|potential|important)\s(?:target|candidate)s?\s(?:for|of|in)\s(?:cancer|immuno\w+|treatment|therapy)|\ba\smajor\sbreakthrough\b",
    r"\b(?:critical|crucial|key|vital|essential|important|integral)\s(?:component|part|role|factor|step|element|aspect)\b|\bsignificant\sfinding\b|\bhighlights?\sthe\spotential\b",
    r"\b(?:an?|the)\s(?:\w+\s)?(?:good|suitable|promising|strong|ideal|potential|excellent|poor|appropriate|better|best|viable)\s(?:candidates?|options?|choice)\b|\bunique\sexample\b|\b(?:most\s)?important\s(?:factor|finding|part|thing)\b",
    r"\b(?:is|are)\s(?:\w+ly\s|a\sgood\s|not\s)?(?:suitable|suited|eligible|appropriate|a\scandidate)\s(?:for|candidate)\b|\bwell[\s-]suited\b",
)
"""Weight that is given to something; a specific beside it is an assertion all the same."""
DISEASE = _any(r"\b\w*(?:carcinoma|sarcoma|lymphoma|leuk[a]?emia|melanoma|metasta\w+|mutations?|pathway)\b")
GENERIC = _any(
    r"\b(?:usually|generally|typically|commonly|seldom|in general|as a rule|in most (?:cases|patients)|often|rarely|traditionally|first[\s-]line|gold standard|worldwide|commonest|(?:second|third|most)\s(?:leading|common|frequent)|leading\scause|mainstay|of\schoice|of\sall\sages)\b",
    r"\b(?:recent|some|many|several|most|other|further|previous|prior|clinical|large|randomi[sz]ed)\s(?:studies|trials|reports|experts|authors|guidelines)\b|\bresearchers\b|\bresearch,?\s(?:in\s|shows|suggests|has)|\bguidelines?\b|\bstudies (?:have|suggest|show|found)\b",
    r"\bshould\s(?:always\s|never\s|not\s)?be\s\w+(?:\s\w+){0,4}\s(?:when|if|in|before|within|unless|once|after|every)\b|\bvarious\s(?:factors|conditions|diseases|bodily)\b|\bsuch\sas\b.{0,60}\bcan\b|\b(?:is|are)\s(?:a|an|the)\s(?:vital|butterfly)\b|\bpeer-reviewed\b",
    r"\b(?:has|have)\s(?:also\s|recently\s|long\s)?been\s(?:debated|discussed|shown|associated|linked|used|demonstrated|proven|approved|developed|studied|suggested|recogni[sz]ed|established|implicated|proposed|described)\b",
    r"\b(?:it|this)\sis\s(?:also\s|very\s|therefore\s)?(?:important|essential|crucial|vital|necessary|critical|advisable|worth|recommended|possible|known|well[\s-]known|believed|thought)\s(?:to|that|for)\b|\bplays?\san?\s(?:\w+\s)?(?:role|part)\b|\b(?:researchers|scientists|doctors|clinicians|physicians|surgeons|experts|oncologists|healthcare\sproviders)\b",
    r"\b(?:personali[sz]ed|tailored|targeted)\s(?:medicine|therap(?:y|ies)|approach|treatment)\b|\b(?:cancer|disease|patient)\s(?:outcomes|care)\b|\bquality\sof\slife\b|\bwell-being\b|\b(?:new|novel|potential)\s(?:treatments?|therap(?:y|ies)|options?)\b|\bfield\sof\b",
)
"""Knowledge that holds for many."""
USUAL = re.compile(
    r"\b(?:usually|generally|typically|commonly|seldom|in general|as a rule|often|rarely)\b"
    r"|\bthe\s(?:usual|typical|recommended|standard|maximum|starting)\s(?:adult\s|daily\s)?(?:dose|dosage|treatment|range|duration|course)\b"
    r"|\ban?\s(?:common|usual|typical)\s(?:[\w-]{1,16}\s)?(?:dose|choice|treatment|finding|cause|sign|symptom|complication)\b"
    r"|^\W*an?\s(?:[\w-]{1,20}\s){1,4}(?:does|do)(?:\snot|n['’]t)?\s(?:exclude|mean|prove|rule\sout|confirm|imply)\b",
    re.IGNORECASE,
)
"""Knowledge by its own word, whatever limit stands beside it."""
DUTY = re.compile(
    r"^\W*(?:therefore,?\s|thus,?\s|however,?\s|additionally,?\s|also,?\s|finally,?\s|overall,?\s)?it\s(?:is|would\sbe|may\sbe|will\sbe)\s(?:also\s|very\s|therefore\s|thus\s|always\s|then\s)?(?:important|essential|crucial|vital|necessary|critical|advisable|worth|recommended|best|wise|prudent|imperative|helpful|useful)\b",
    re.IGNORECASE,
)
"""What is said to be important, whoever it is for."""
LIMIT = _any(
    r"\b(?:normal|reference)\s(?:ranges?|values?|limits?|levels?)\s(?:is|are|for|of|in|lies?)\b",
    r"\d\s?[\w/%]{0,8}\s(?:or|and)\s(?:more|less|fewer|higher|lower|above|below|over|under|older|younger|greater)\b",
    r"\b(?:is|are)\s(?:usually\s|generally\s)?(?:considered|regarded|defined|classified|deemed|counted)\s(?:to\sbe\s|as\s)?(?:an?\s)?(?:normal|abnormal|high|low|elevated|positive|negative|mild|moderate|severe)\b",
)
"""A limit as a rule has it, whatever its number."""
AIM = _any(
    r"\b(?:determine|see|assess|establish|clarify|find\sout|know|check|decide|evaluate)\s(?:if|whether)\b|\bto\s(?:rule\sout|exclude|confirm|determine|assess|evaluate|identify|monitor|prevent|reduce|avoid|ensure|improve)\b"
)
"""What something is for: no finding is said to be there."""
TASK = _any(
    r"\bthe\sfollowing\b|\bin\s(?:this|my|the\sfollowing)\s(?:summary|response|answer|report)\b",
    r"\b(?:one|two|three|four|five|six|\d)\s(?:short\s|key\s|main\s|brief\s)?(?:sentences?|findings|points|questions|paragraphs?|bullet)\b",
)
"""The task said again."""
ORDER = re.compile(
    r"^\W*(?:please\s)?(?:always\s|never\s|do\snot\s|don['’]t\s)?(?:explain|check|ensure|lay|call|avoid|ask|use|encourage|offer|monitor|discuss|reassure|consider|arrange|advise|educate|inform|step|assess|evaluate|obtain|perform|seek|look|make\ssure|involve|bring|watch|weigh|balance|adjust|individuali[sz]e|follow|confirm|exclude|rule\sout|document|provide|talk|listen|start\slow)\b",
    re.IGNORECASE,
)
"""Advice in the form of an order."""
MANY = _any(
    r"\b(?:everyone|everybody|anyone|patients|people|children|women|men|adults|those|infants|individuals)\s(?:with|who|on|under|over|after|taking|receiving|in whom|at)\b|^\W*(?:most|many|some|few)\s(?:[\w-]{2,20}\s){0,2}[\w-]{2,20}s\s",
)
"""Many people, of whom a past event is told or a rule is given."""
_KIND = r"conditions?|diseases?|disorders?|syndromes?|gland|organ|drugs?|medicines?|therap(?:y|ies)|treatments?|approach|method|technique|procedures?|hormones?|proteins?|infections?|types?|forms?|class|vitamin|antibiotics?|inhibitors?|blockers?|emergenc(?:y|ies)|cancers?|tests?|agents?|concern|hallmark|risk factors?|causes?|complications?|markers?|predictors?|criteri(?:on|a)|options?|choice|standard"
GENERIC_KIND = _any(
    rf"\b(?:is|are)\s(?:also\s|usually\s)?(?:an?|the|one\sof\sthe|among\sthe)\s(?:[\w-]{{1,24}},?\s){{0,4}}?(?:{_KIND})\b"
)
"""What a thing is in general: "is a disorder"."""
GENERIC_VERB = _any(
    r"\b(?:is|are)\s(?:\w+ly\s|best\s|also\s|never\s|not\s|first\s|often\s|then\s)?(?:treated|managed|used|given|taken|located|found|characteri[sz]ed|caused|considered|known|associated|affected|responsible|regulated|produced|defined|classified|diagnosed|recommended|advised|indicated|contraindicated|avoided|monitored|prescribed|started|stopped|linked|predilated|preferred|required|needed|common|commoner|rare|indicated|safe|dangerous|cleared|excreted|metaboli[sz]ed|transmitted|staged|graded|inherited|measured|called|titrated|dosed|removed|repaired|screened|confirmed|made|based|continued|stopped)\b",
    r"\b(?:can|will|must|should)\s(?:also\s|often\s|not\s|never\s|only\s|be\s)?\w+",
    r"\b(?:cures?|saves?|reactivates?|indicates?|calls?\sfor|ranges?|rises?|falls?|carry|mimics?|masks?|triggers?|enhances?|allows?|enables?|ensures?|provides?|supports?|aims?|offers?|varies|vary|exists?|appears?\sin|determines?|influences?|impacts?|plays?|relies|rely|consists?|refers?|represents?|serves?|reflects?|implies|signals|counts?\sas|equals|takes\sup|keeps?|opens?|dilates?|constricts?|thins?|replaces?|restores?|slows?|speeds?|eases?|controls?|manages?|opposes?|antagoni[sz]es?|activates?|destroys?|attacks?|recogni[sz]es?|fights?|enters?|leaves?|grows?\sbest|thrives?|multipl(?:y|ies)|infects?)\b",
    r"\b(?:is|are)\s(?:\w+ly\s|best\s|then\s)?\w{3,14}ed\s(?:by|with|on|in|from|for|as|after|before|when|until|over|to|at)\b",
    r"\b(?:causes?|lowers?|improves?|needs?|requires?|occurs?|heals?|responds?|regulates?|produces?|prevents?|reduces?|increases?|raises?|protects?|affects?|leads?\sto|results?\sin|includes?|involves?|interacts?|depends?|carr(?:y|ies)|works?|acts?|inhibits?|blocks?|binds?|means|predicts?|helps?|treats?|kills?|spreads?|arises?|develops?|resolves?|recurs?|relieves?|delays?|contains?|crosses|warrants?|prolongs?|shortens?|promotes?|targets?|remains\sthe|has\sa|have\sa|have\sthe|has\sthe|tends?\sto|goes|go|comes?|starts?|begins?|lasts?|follows?|precedes?|accompan\w+|stimulates?|suppress\w*|damages?|worsens?|correlates?|defines?|guides?|favours?|makes?|takes?|gives?|drives?|accounts?)\b",
)
HABIT = re.compile(
    r"^\W*(?:treatment|management|screening|adherence|improvement|prevention|monitoring|education|promotion|optimi[sz]ation|regular|reduction|importance|development)\s(?:of|for|to|with)\b",
    re.IGNORECASE,
)
"""A line of a list of good intentions."""

PAST = _any(
    r"\b(?:was|were|had|did|didn['’]t|wasn['’]t|weren['’]t|has\sbeen|have\sbeen|been|went|rose|fell|grew|underwent|began|got|gave|took|came|became|lost|felt|saw|left|broke|found|showed|made|said|told|ran|kept)\b",
    r"(?<!be\s)(?<!is\s)(?<!are\s)(?<!being\s)(?<!often\s)\b(?:received|reported|presented|developed|revealed|demonstrated|denied|complained|required|started|stopped|admitted|discharged|improved|worsened|increased|decreased|dropped|survived|died|recovered|occurred|remained|progressed|relapsed|recurred|resolved|tolerated|continued|completed|declined|refused|smoked|caused|reached|followed|conducted|aimed|analy[sz]ed|included|enrolled|randomi[sz]ed|identified|concluded|healed|spread|responded)\b(?!\s(?:by|from\sthe)\b)",
)
SIDE = _any(r"\b(?:left|right|bilateral|both\ssides|upper|lower\slobe|on\sadmission|on\sarrival|today|yesterday|planned|scheduled|booked|arranged|daily|twice|(?:is|are)\sknown\W*$|currently|now|at\spresent|this\s(?:morning|week|admission)|since|still|again|so\sfar)\b")  # fmt: skip
"""A side, a place, or a time that only one patient has."""
LEVEL = _any(
    r"\b(?:(?:low|high)(?!-(?:salt|dose|fat|sodium|protein|calorie|flow|fibre|fiber|energy))|higher|lower|elevated|raised|reduced|decreased|increased|normal|abnormal|positive|negative|clear|mild|moderate|severe|advanced|poor|stable|active|controlled|present|absent|intact|warm|hot|cold|enlarged|above|below|within|unremarkable|suppressed|prolonged|under\scontrol|impaired|preserved|dilated)\b",
    r"\bstages?\s(?:[IV]{1,3}|\d)|\b(?:I[AB]|II[ABC]|III[ABC]|IV[AB])\b|\b[pc]?T[0-4]N\d|\btier\s\d|\bgrade\s\d|\bclass\s[IV]+|\bC[1-6]\b",
)
IDENTITY = re.compile(
    r"\b(?:tcga-\w{2}-\w{4}|(?:fhir|ward|vignette|medhallu|case|patient)[\s-](?=[\w-]*\d)[\w-]+)",
    re.IGNORECASE,
)
SUBJECT = re.compile(r"^\W*(?:the|this|these|those|that|an?|no|another)\b", re.IGNORECASE)
VERB = _any(
    r"\b(?:is|are|was|were|has|have|had|be|been|do|does|did|may|might|can|could|will|would|should|must|isn|aren|['’]s|shows?|indicates?|suggests?|reveals?|takes?|uses?|lies|sits|needs\b|remains?|increases?|decreases?|causes?|affects?|treats?|lowers?|kills?|gives?|lacks?|include[sd]?|presents?|reports?|denies|wears|lives|works|feels|looks|walks|eats|drinks|smokes)\b"
)
RELATIVE = re.compile(
    r",\s(?:which|who|whose|where|indicating|suggesting|making|reflecting|implying|although|though|as\s(?:the|it|this|he|she|they)|because|since|while|whereas|so|highlighting|emphasi[sz]ing)\b",
    re.IGNORECASE,
)
"""Where the main clause ends."""
COURTESY = _any(
    r"\b(?:hope\sthis\shelps|let\sme\sknow|happy\sto|feel\sfree|glad\sto|thank\syou|you['’]re\swelcome|sure,|certainly[,!]|of\scourse[,!]|here\s(?:is|are)\s(?:a|the|my|your|five|some|an|what)|as\srequested|as\san\sai|please\s(?:note|provide|share|add|let|see|consult|upload|send)|if\syou\s(?:need|have|want)|^\W*(?:dear|sincerely|regards|best\swishes|thanks|let['’]s|note|question|answer|prompt)\b\W*\w{0,12}\W*$|as\sa\s(?:large\s)?language\smodel|^\W*(?:to\sanswer\s(?:this|the|your)|i\s(?:will|shall|am\sgoing\sto|would\slike\sto)\s(?:now\s)?(?:summari|describe|write|answer|provide|list|use|try))|\[(?:insert|your|name)[^\]]{0,40}\]|below\sis|i\shave\swritten|i['’]ve\s(?:included|summari))"
)
ASKED_HEADING = _any(
    r"^\W*(?:\d{1,2}[.)]\s*)?(?:key\s)?(?:findings?|summary|conclusions?|assessment|plan|impression|history|background|evidence|medications?|allergies|labs?|laboratory\s(?:results|findings|values)|vitals?|vital\ssigns|introduction|results?|methods?|discussion|limitations?|uncertainty|overview|diagnosis|treatment|imaging|demographics|recommendations?|clinical\scontext|rna\sfinding|immune\stier|(?:main\s)?pathology(?:\sfinding)?|what\sis\smissing|renal\sfunction|answer|course|investigations?|examination|social\shistory|family\shistory|past\smedical\shistory|medical\shistory|follow-?up)\W*$"
)
DECLINED = _any(
    r"\b(?:sorry|apologi[sz]e|unfortunately|afraid)\b.{0,40}\b(?:can['’]?t|cannot|unable|not\sable|won['’]t)\b|\bI\s(?:can['’]?t|cannot|won['’]t|am\snot\sable\sto|am\sunable\sto|must\sdecline|decline|would\shave\sto\sguess|would\srather\snot)\b|\bplease\s(?:provide|share|send|upload|add|attach|supply|give)\b"
)
"""That no answer is given."""
STATE = re.compile(
    rf"\b(?:is|are|was|were|remains?)\s(?:\w+ly\s|not\s|too\s|very\s|still\s|now\s|also\s)?(?:{LEVEL.pattern})",
    re.IGNORECASE,
)
"""A state that is said of something: "is low"."""
ADVICE = _any(
    r"\b(?:should|must|needs?\sto|ought\sto|has\sto|have\sto|recommend(?:ed|s)?|advised?|advisable|warranted|is\sneeded|are\sneeded|will\sneed|requires?\s(?:close|regular|careful|further|ongoing))\b"
)
"""That something is to be done."""
TOLD = re.compile(
    r"\bno\s(?P<what>(?:[\w/-]{1,24}\s){1,5}?)(?:is|are|was|were|has\sbeen|have\sbeen)\s(?:given|reported|recorded|documented|noted|described|mentioned|stated|listed|found|seen)\b",
    re.IGNORECASE,
)
"""Denial of an event or of its report: what it is of decides."""
SUMMED = _any(
    r"\b(?:evidence|research|literature|data|studies|findings?|results?)\b.{0,60}?\b(?:suggests?|indicates?|shows?|supports?|highlights?|demonstrates?)\b"
)
"""What evidence in general is said to show."""
IMPLIES = re.compile(
    r"^\W*(?!the\b|this\b|that\b)(?:an?\s)?(?:[\w-]+\s){1,4}(?:of|above|below|over|under|within|from|more\sthan|less\sthan)\s.{0,20}?\b(?:means?|carr(?:y|ies)|impl(?:y|ies)|calls?\sfor|warrants?|predicts?|defines?|indicates?|suggests?|requires?)\b",
    re.IGNORECASE,
)
"""A rule with a limit: "a score of 3 means"."""
RESULT = re.compile(
    r"^\W*(?:the|this|that|these|those)\s(?:[\w'’-]{1,20}\s){0,4}(?:findings?|scores?|tier|subtype|results?|values?|levels?|scans?|tests?|x-?ray|films?|report|history|blood\stests?|biopsy|examination|gland|lesion|mass|tumou?r|wound|incision)\b",
    re.IGNORECASE,
)
"""A result of this case: "the RNA finding"."""
ABSTRACT = _any(
    r"\b(?:journey|potential|importance|significance|insights?|outcomes?|needs|approach|approaches|strateg(?:y|ies)|understanding|advances?|breakthroughs?|challenges?|complexity|complexities|benefits?|implications?|foundation|opportunit(?:y|ies)|hope|innovation|science|scientific|medicine|well-being|decision-making|knowledge|perspective|valuable|informative|comprehensive|individuali[sz]ed|holistic|multidisciplinary|optimal|effective(?:ness)?|efficacy|carefully|closely|appropriate(?:ly)?|essential|crucial|complex|unique)\b"
)
"""Words of essays, which no record can confirm."""
