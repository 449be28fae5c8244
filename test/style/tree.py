"""Lists the files of the checkout for the style tests: those that git tracks, or all files where there is no git."""
import os
import subprocess
import sys

SKIP = ("build", ".git")


def files(*endings):
    """Paths relative to the root of the checkout, sorted."""
    try:
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        listed = []
        for folder, folders, names in os.walk("."):
            folders[:] = [f for f in folders if not f.startswith(SKIP)]
            listed += [os.path.relpath(os.path.join(folder, n), ".") for n in names]
    return sorted(f for f in listed if f and os.path.isfile(f) and (not endings or f.endswith(endings)))


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def finish(name, checked, problems):
    """Prints the problems and exits 1 when there are any, or when nothing was checked."""
    for p in problems:
        print(p)
    if not checked:
        print(f"{name}: nothing to check: the test looks in the wrong place")
    print(f"{name}: {checked} checked, {len(problems)} problems")
    sys.exit(1 if problems or not checked else 0)
