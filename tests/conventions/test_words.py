"""The tree speaks of its subject, keeps no leftovers and names no machine."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = {".py", ".md", ".toml", ".cff", ".js", ".css", ".html", ".j2", ".sh", ""}
FORBIDDEN = re.compile(
    r"/work/(?:main|shared)|/root/|#\s*TODO|\bFIXME\b|NotImplementedError|mock\.patch|MagicMock|monkeypatch\.setattr",
)


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [ROOT / name for name in listed.splitlines()]
    return [
        p
        for p in paths
        if p.suffix in TEXT and "vendor" not in str(p) and p != Path(__file__) and p.is_file()
    ]


def test_no_machine_paths_leftovers_or_patches() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in _tracked()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert not found, "\n".join(found)


def test_only_core_dependencies_are_imported_at_module_level() -> None:
    extras = re.compile(
        r"^(?:import|from) (xllamacpp|onnxruntime|PIL|cv2|pydicom|lxml|starlette|uvicorn|sqlalchemy|alembic"
        r"|authlib|httpx|argon2|trafilatura|pypdfium2|bibtexparser|pylatexenc|rispy|pyarrow|vl_convert|inspect_ai|psycopg)\b",
        re.MULTILINE,
    )
    allowed = ("study", "bridge", "models/inspect_provider.py")
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "src").rglob("*.py"))
        if extras.search(path.read_text(encoding="utf-8"))
        and not any(f"percuss/{a}" in str(path) for a in allowed)
    ]
    assert not found, f"extras imported at module level: {found}"
