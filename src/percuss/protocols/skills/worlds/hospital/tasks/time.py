"""Most recent and trend: which value counts as the last one, and where a series goes."""

# ruff: noqa: S608 - every statement is made of our own words and numbers

from collections.abc import Sequence

from percuss.protocols.skills.worlds.hospital.data import Draw
from percuss.protocols.skills.worlds.hospital.tasks.round import Book, Round

__all__ = ["emergency_quarters", "fall_over_time", "last_encounter", "latest_of_all", "latest_pair", "series"]

RULE = "Only final results with a time count; of two taken at the same time the one with the higher lab_id counts."
FINAL = "status = 'final' AND taken_at IS NOT NULL"
_TESTS = ("potassium", "creatinine", "haemoglobin", "sodium", "platelets", "HbA1c")


def _ranked(where: str) -> str:
    """Return a table expression of final results, the newest of each patient and test first."""
    return (
        "(SELECT lab_id, patient_id, test, value, taken_at, ROW_NUMBER() OVER (PARTITION BY patient_id, test "
        f"ORDER BY taken_at DESC, lab_id DESC) AS place FROM labs WHERE {FINAL} AND {where}) AS ranked"
    )


def _often(book: Book, draw: Draw, at_least: int) -> tuple[int, str]:
    found = book.rows(
        f"SELECT patient_id, test FROM labs WHERE {FINAL} AND test IN {_TESTS} "
        f"GROUP BY patient_id, test HAVING COUNT(*) >= {at_least} ORDER BY patient_id, test"
    )
    patient, test = draw.pick(found)
    return patient, test


def latest_pair(book: Book, draw: Draw) -> Sequence[Round]:
    """The last value of a test, the one before it, and how far they are apart."""
    patient, test = _often(book, draw, 3)
    ranked = _ranked(f"patient_id = {patient} AND test = '{test}'")
    of = "lab_id:integer value:number taken_at:time"
    return (
        Round(
            f"What is the most recent {test} of patient {patient}? {RULE}",
            of,
            f"SELECT lab_id, value, taken_at FROM {ranked} WHERE place = 1",
        ),
        Round(
            "And the one before it, by the same rule?",
            of,
            f"SELECT lab_id, value, taken_at FROM {ranked} WHERE place = 2",
        ),
        Round(
            "By how much did it change from that one to the most recent (negative: it fell)?",
            "change:mean",
            f"SELECT SUM(CASE WHEN place = 1 THEN value ELSE -value END) AS change_ FROM {ranked} WHERE place <= 2",
        ),
        Round(
            f"How many {test} results of this patient are not final, or have no time?",
            "n:integer",
            f"SELECT COUNT(*) AS n FROM labs WHERE patient_id = {patient} AND test = '{test}' "
            "AND (status <> 'final' OR taken_at IS NULL)",
        ),
    )


def last_encounter(book: Book, draw: Draw) -> Sequence[Round]:
    """A patient's last encounter, what was started in it, and its last value of each test."""
    patient = draw.pick(
        book.first("SELECT patient_id FROM encounters GROUP BY patient_id HAVING COUNT(*) >= 3")
    )
    last = (
        f"(SELECT encounter_id FROM encounters WHERE patient_id = {patient} "
        "ORDER BY admitted_at DESC, encounter_id DESC LIMIT 1)"
    )
    # MariaDB takes no LIMIT in a subquery of IN, but in one that is compared.
    return (
        Round(
            f"Which was the last encounter of patient {patient}, by admission?",
            "encounter_id:integer kind:text admitted_at:time",
            f"SELECT encounter_id, kind, admitted_at FROM encounters WHERE encounter_id = {last}",
        ),
        Round(
            "Which medications were started in it?",
            "medication_id:integer drug:text",
            f"SELECT medication_id, drug FROM medications WHERE encounter_id = {last}",
        ),
        Round(
            f"What was the last value of each test within that encounter? {RULE}",
            "test:text value:number",
            f"SELECT test, value FROM {_ranked(f'encounter_id = {last}')} WHERE place = 1",
        ),
    )


def latest_of_all(book: Book, draw: Draw) -> Sequence[Round]:
    """The last value of every patient with a diagnosis in a district, who is beyond a limit, and their order."""
    code, test, limit = draw.pick(
        (("E11", "HbA1c", 5), ("N18", "creatinine", 90), ("I50", "potassium", 4), ("I10", "sodium", 139))
    )
    districts = draw.sample(book.first("SELECT DISTINCT district FROM patients ORDER BY district"), 2)
    who = (
        f"test = '{test}' AND patient_id IN (SELECT patient_id FROM diagnoses WHERE code = '{code}') AND patient_id IN "
        f"(SELECT patient_id FROM patients WHERE district IN ('{districts[0]}', '{districts[1]}'))"
    )
    above = f"FROM {_ranked(who)} WHERE place = 1 AND value > {limit}"
    return (
        Round(
            f"For each patient of {districts[0]} or {districts[1]} ever diagnosed with {code}: the most recent {test}. "
            f"{RULE}",
            "patient_id:integer value:number",
            f"SELECT patient_id, value FROM {_ranked(who)} WHERE place = 1",
        ),
        Round(
            f"Which of these patients are above {limit}?",
            "patient_id:integer",
            f"SELECT patient_id {above}",
        ),
        Round(
            "List these from the highest value to the lowest, equal values by patient_id upwards.",
            "patient_id:integer value:number",
            f"SELECT patient_id, value {above} ORDER BY value DESC, patient_id",
            ordered=True,
        ),
        Round(
            "How many of them live in each of the two districts?",
            "district:text n:integer",
            f"SELECT district, COUNT(*) AS n FROM patients WHERE patient_id IN (SELECT patient_id {above}) GROUP BY district",
        ),
    )


def series(book: Book, draw: Draw) -> Sequence[Round]:
    """A series in order of time, its ends, its highest point, and how often it rose."""
    patient, test = _often(book, draw, 5)
    where = f"patient_id = {patient} AND test = '{test}' AND {FINAL}"
    stepped = (
        "(SELECT lab_id, value, taken_at, LAG(value) OVER (ORDER BY taken_at, lab_id) AS before_ FROM labs "
        f"WHERE {where}) AS stepped"
    )
    first = f"(SELECT value FROM labs WHERE {where} ORDER BY taken_at, lab_id LIMIT 1)"
    last = f"(SELECT value FROM labs WHERE {where} ORDER BY taken_at DESC, lab_id DESC LIMIT 1)"
    return (
        Round(
            f"Show the {test} of patient {patient} over time: final results with a time, the earliest first, equal times "
            "by lab_id upwards.",
            "taken_at:time value:number",
            f"SELECT taken_at, value FROM labs WHERE {where} ORDER BY taken_at, lab_id",
            ordered=True,
        ),
        Round(
            "Which are the first and the last value of this series, and the change between them?",
            "first:number last:number change:mean",
            f"SELECT {first} AS first_, {last} AS last_, {last} - {first} AS change_",
        ),
        Round(
            "When was the highest value taken? Of several, the earliest, then the lowest lab_id.",
            "lab_id:integer taken_at:time value:number",
            f"SELECT lab_id, taken_at, value FROM labs WHERE {where} ORDER BY value DESC, taken_at, lab_id LIMIT 1",
        ),
        Round(
            "How many times was a value higher than the one right before it in the series?",
            "rises:integer",
            f"SELECT COUNT(*) AS rises FROM {stepped} WHERE value > before_",
        ),
        Round(
            "What is the mean of the series?",
            "mean:mean",
            f"SELECT AVG(value) AS mean_ FROM labs WHERE {where}",
        ),
    )


def fall_over_time(book: Book, draw: Draw) -> Sequence[Round]:
    """Whose last value lies well below their first, how many they are, and who fell most."""
    del book
    test, least = draw.pick(
        (("haemoglobin", 1), ("platelets", 40), ("sodium", 3), ("creatinine", 15), ("potassium", 0.5))
    )
    sex = draw.pick(("F", "M"))
    which = (
        f"{FINAL} AND test = '{test}' AND patient_id IN (SELECT patient_id FROM patients WHERE sex = '{sex}')"
    )
    ends = (
        "(SELECT patient_id, SUM(CASE WHEN early = 1 THEN value ELSE 0 END) - SUM(CASE WHEN late = 1 THEN value ELSE 0 END) "
        "AS fall FROM (SELECT patient_id, value, "
        "ROW_NUMBER() OVER (PARTITION BY patient_id ORDER BY taken_at, lab_id) AS early, "
        "ROW_NUMBER() OVER (PARTITION BY patient_id ORDER BY taken_at DESC, lab_id DESC) AS late "
        f"FROM labs WHERE {which}) AS placed GROUP BY patient_id) AS ends"
    )
    fell = f"FROM {ends} WHERE fall > {least - 0.001}"
    most = f"(SELECT patient_id {fell} ORDER BY fall DESC, patient_id LIMIT 1)"
    return (
        Round(
            f"In which patients of sex {sex} is the last final {test} at least {least} below their first? Results without "
            "a time don't count; of two at the same time the lower lab_id came first.",
            "patient_id:integer fall:mean",
            f"SELECT patient_id, fall {fell}",
        ),
        Round("How many are these?", "n:integer", f"SELECT COUNT(*) AS n {fell}"),
        Round(
            "Who of them fell most (of equals the lowest patient_id), and which codes were they ever diagnosed with? Name "
            "each code once.",
            "patient_id:integer code:text",
            f"SELECT DISTINCT patient_id, code FROM diagnoses WHERE patient_id = {most}",
        ),
    )


def emergency_quarters(book: Book, draw: Draw) -> Sequence[Round]:
    """Admissions by quarter of a year, the busiest one, and who came then."""
    del book
    year = 2023 + draw.below(2)
    kind = draw.pick(("emergency", "inpatient", "outpatient"))
    of = f"kind = '{kind}' AND admitted_at >= '{year}-01-01 00:00:00' AND admitted_at < '{year + 1}-01-01 00:00:00'"
    quarter = (
        f"CASE WHEN admitted_at < '{year}-04-01 00:00:00' THEN 1 WHEN admitted_at < '{year}-07-01 00:00:00' THEN 2 "
        f"WHEN admitted_at < '{year}-10-01 00:00:00' THEN 3 ELSE 4 END"
    )
    counted = f"(SELECT {quarter} AS quarter_, COUNT(*) AS n FROM encounters WHERE {of} GROUP BY {quarter}) AS counted"
    most = f"(SELECT quarter_ FROM {counted} ORDER BY n DESC, quarter_ LIMIT 1)"
    return (
        Round(
            f"How many {kind} encounters began in each quarter (1 to 4) of {year}? Leave quarters without any out.",
            "quarter:integer n:integer",
            f"SELECT quarter_, n FROM {counted}",
        ),
        Round(
            "Which quarter had most (of equals the earliest)?",
            "quarter:integer n:integer",
            f"SELECT quarter_, n FROM {counted} ORDER BY n DESC, quarter_ LIMIT 1",
        ),
        Round(
            "How many of that quarter's were in each department?",
            "department:text n:integer",
            f"SELECT department, COUNT(*) AS n FROM encounters WHERE {of} AND {quarter} = {most} GROUP BY department",
        ),
        Round(
            "Who was the oldest patient among that quarter's (of equals the lowest patient_id)?",
            "patient_id:integer birth_date:date",
            "SELECT patient_id, birth_date FROM patients WHERE patient_id IN (SELECT patient_id FROM encounters "
            f"WHERE {of} AND {quarter} = {most}) ORDER BY birth_date, patient_id LIMIT 1",
        ),
    )
