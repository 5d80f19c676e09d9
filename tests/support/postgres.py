"""A PostgreSQL cluster of the test session's own: no TCP, no durability, gone afterwards."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "wb-pg-"
DEBIAN = Path("/usr/lib/postgresql")
SIZE = "-c max_connections=200 -c autovacuum=off"
FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"


def binaries() -> Path | None:
    """The folder that holds initdb and pg_ctl, None where PostgreSQL is not installed."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3].split(".")[0]))
    return versions[-1].parent if versions else None


@contextmanager
def temporary_cluster(bin_folder: Path, *, durable: bool = False) -> Iterator[str]:
    """Starts a cluster and gives the folder of its socket. As root it runs as user postgres, which refuses root.

    `durable`: as in service, with a sync at every commit.
    """
    _sweep(bin_folder)
    # Short: the path of a Unix socket has a limit of about 100 characters.
    home = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
    (home / "owner").write_text(str(os.getpid()))
    if os.geteuid() == 0:
        os.chown(home, pwd.getpwnam("postgres").pw_uid, pwd.getpwnam("postgres").pw_gid)

    def run(program: str, *arguments: str) -> None:
        _run(bin_folder / program, home, *arguments)

    try:
        run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        settings = f"-c listen_addresses='' -k {home} {SIZE}{'' if durable else ' ' + FAST}"
        run("pg_ctl", "-w", "-l", str(home / "log"), "-o", settings, "start")
        try:
            yield str(home)
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _run(program: Path, home: Path, *arguments: str) -> None:
    become: dict[str, int] = {}
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        become = {"user": user.pw_uid, "group": user.pw_gid}
    done = subprocess.run(
        [str(program), "-D", str(home / "data"), *arguments],
        capture_output=True,
        text=True,
        cwd=home,
        check=False,
        **become,  # type: ignore[call-overload]
    )
    if done.returncode:
        raise RuntimeError(f"{program.name} failed: {done.stderr or done.stdout}")


def _sweep(bin_folder: Path) -> None:
    """Ends clusters of sessions that were killed before they could do it themselves."""
    for home in Path("/tmp").glob(f"{PREFIX}*"):
        try:
            owner = int((home / "owner").read_text())
            os.kill(owner, 0)
        except ProcessLookupError:
            with contextlib.suppress(RuntimeError):
                _run(bin_folder / "pg_ctl", home, "-w", "-m", "immediate", "stop")
            shutil.rmtree(home, ignore_errors=True)
        except (OSError, ValueError):  # just begun, or another user's
            continue
