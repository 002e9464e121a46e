"""Build the book: both editions, or the one that is named.

    python book/_tools/build.py [--language en|ko] [--strict] [--quiet]

The English edition is what `jupyter-book build .` makes, in _build/html; the Korean one lies in
_build/html/ko and uses the files of the English one, which has to be there. Each is built by a
process of its own, because Sphinx speaks one language in a process. The two run side by side; the
Korean one waits for the English one before its last steps, and says only what is wrong.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
LANGUAGES = ("en", "ko")


def build(language: str, *, beside: bool, after: int | None, strict: bool, quiet: bool) -> int:
    """Build one edition in this process; return 0 if nothing is wrong.

    beside: whether the other edition is built at the same time.
    after: the end of a pipe that says by a byte that the English edition is built.
    """
    from jupyter_book.sphinx import build_sphinx  # noqa: PLC0415 - the other process needs it

    settings = {
        "external_toc_path": str(ROOT / "_toc.yml"),
        "latex_individualpages": False,
        "nitpicky": strict,
        "language": language,
        "editions": list(LANGUAGES) if beside or language == "ko" else [language],
        "built_beside": beside,
        "after_english": after,
    }
    outputs = HTML.parent / f"jupyter_execute-{language}"
    HTML.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as cleanup:
        if language != "en":
            # MyST-NB keeps pictures beside the folder of the pages, here in the English book.
            cleanup.callback(move, HTML / "jupyter_execute", outputs)
            move(outputs, HTML / "jupyter_execute")
        result = build_sphinx(
            ROOT,
            HTML if language == "en" else HTML / language,
            noconfig=True,
            path_config=ROOT / "_config.yml",
            confoverrides=settings,
            doctreedir=ROOT / "_build" / f".doctrees-{language}",
            warningiserror=strict,
            keep_going=strict,
            quiet=quiet,
        )
    return 1 if result else 0


def move(source: Path, target: Path) -> None:
    """Move a folder, if it is there, to where no other one is left."""
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        source.rename(target)


def build_both(flags: list[str]) -> int:
    """Build both editions, each in a process; return 0 if nothing is wrong with either."""
    told, tell = os.pipe()
    command = [sys.executable, __file__, *flags, "--beside", "--language"]
    korean = subprocess.Popen([*command, "ko", "--quiet", "--after", str(told)], pass_fds=[told])
    os.close(told)
    with korean, open(tell, "wb", buffering=0) as pipe:
        failed = subprocess.run([*command, "en"], check=False).returncode
        if not failed:
            with contextlib.suppress(BrokenPipeError):  # the Korean one has failed already
                pipe.write(b"1")
    return failed or korean.returncode


def main() -> int:
    """Build what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--language", choices=LANGUAGES, help="one edition alone")
    parser.add_argument("--strict", action="store_true", help="a warning is an error")
    parser.add_argument("--quiet", action="store_true", help="say only what is wrong")
    parser.add_argument("--beside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--after", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.language:
        return build(**vars(args))
    return build_both([f"--{name}" for name in ("strict", "quiet") if getattr(args, name)])


if __name__ == "__main__":
    raise SystemExit(main())
