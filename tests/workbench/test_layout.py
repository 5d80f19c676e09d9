"""Five common top-level names: a rival package of one of them must be refused, not half used."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def run_from(folder: Path, *, python_path: list[Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "workbench", "--help"],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(map(str, python_path))},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_checkout_alone_is_accepted(tmp_path: Path) -> None:
    done = run_from(tmp_path, python_path=[CHECKOUT])
    assert done.returncode == 0, done.stderr


def test_a_planted_rival_is_refused_naming_both_paths(tmp_path: Path) -> None:
    rival = tmp_path / "elsewhere" / "training"
    rival.mkdir(parents=True)
    (rival / "__init__.py").write_text("raise SystemExit('the rival was imported')\n")
    done = run_from(tmp_path, python_path=[rival.parent, CHECKOUT])
    assert done.returncode == 2
    assert str(rival) in done.stderr.replace("\n", "")
    assert str(CHECKOUT / "training") in done.stderr.replace("\n", "")
    assert "the rival was imported" not in done.stderr


def test_a_rival_without_init_file_is_no_match_for_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "benchmarks").mkdir()
    done = run_from(tmp_path, python_path=[tmp_path, CHECKOUT])
    assert done.returncode == 0, done.stderr
