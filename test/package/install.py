"""docs/install.md is true: its commands run as they are typed (in a folder where build is the build folder, with a HOME of their own), each
component installs its own files and together they are all, uninstalling leaves nothing, and the packages are right (debian.py). Commands of
root are not run."""
import functools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../style"))
import debian  # noqa: E402
import tree  # noqa: E402

PAGE = "docs/install.md"
OF_ROOT = ("apt-get",)
check = functools.partial(debian.check, where=PAGE)


def files_in(folder):
    return sorted(os.path.relpath(os.path.join(at, n), folder) for at, _, names in os.walk(folder) for n in names)


def component_of(path):
    if path.endswith("gnnc_mpi.so"):
        return "gnnc-mpi"
    is_dev = path.startswith(("include/", "lib/"))
    return "libgnnc-dev" if is_dev else "gnnc"


def main():
    options = debian.parse_options()
    blocks = re.findall(r"^```sh\n(.*?)^```$", tree.read(PAGE), re.M | re.S)
    typed = [b for b in blocks if not b.startswith(OF_ROOT)]
    check(f"{len(blocks)} blocks of commands, expected 6, of which one is root's", len(blocks) == 6 and len(typed) == 5)
    can_pack = debian.can_run()
    with tempfile.TemporaryDirectory() as home:
        os.symlink(options.build, f"{home}/build")
        path = f"{os.path.dirname(options.cmake)}:{os.path.dirname(options.cpack)}:{os.environ['PATH']}"
        env = {k: v for k, v in os.environ.items() if k != "DESTDIR"} | {"HOME": home, "PATH": path}
        for block in typed:
            if "cpack" in block and not can_pack:
                continue
            before = set(os.listdir(home))
            run = subprocess.run(["sh", "-e", "-c", block], cwd=home, env=env, capture_output=True, text=True)
            check(f"these commands fail:\n{block}{run.stdout[-2000:]}{run.stderr}", run.returncode == 0)
            if "--version" in block:
                whole = files_in(f"{home}/gnnc")
                check(f"gnnc --version says {run.stdout.splitlines()[-1:]}", re.search(r"^gnnc \d+\.\d+\.\d+ ", run.stdout, re.M))
            if "xargs" in block:
                check("uninstalling leaves " + ", ".join(files_in(f"{home}/gnnc")[:5]), not os.path.exists(f"{home}/gnnc"))
            if "component" in block:
                check("both components are not what a whole installation is", files_in(f"{home}/tools") == [f for f in whole if component_of(f) != "gnnc-mpi"])
            if "DESTDIR" in block:
                check("DESTDIR has not what a whole installation is", files_in(f"{home}/staging/usr") == whole)
            if "cpack" in block:
                debian.check_packages(debian.packages_in(f"{home}/packages"), options.version, options.revision, home)
            check(f"nothing new in HOME after\n{block}", "xargs" in block or set(os.listdir(home)) > before)
        for component in sorted({component_of(f) for f in whole}):
            prefix = f"{home}/only-{component}"
            subprocess.run([options.cmake, "--install", options.build, "--prefix", prefix, "--component", component], check=True, env=env,
                           capture_output=True)
            expected = [f for f in whole if component_of(f) == component]
            check(f"component {component} installs {set(files_in(prefix)) ^ set(expected)} beside what it should, or lacks it",
                  files_in(prefix) == expected)
        # the table of places; configured for /usr, Debian's name of the processor is behind lib/
        whole = [re.sub(r"^lib/[^/]+-linux-gnu/", "lib/", f) for f in whole]
        for place, component in re.findall(r"^\| `([a-z0-9/.]+)`.* \| (gnnc|libgnnc-dev) \|", tree.read(PAGE), re.M):
            check(f"nothing is installed in {place}", any(f.startswith(place) and component_of(f) == component for f in whole))
        named = re.findall(r"`(gnn[a-z-]*)`", next(l for l in tree.read(PAGE).split("\n") if l.startswith("| `bin/`")))
        for program in named:
            check(f"{program} is not installed", f"bin/{program}" in whole)
        check("a program that the page does not name", sum(f.startswith("bin/") for f in whole) == len(named))
        leaks = [f for f in files_in(f"{home}/tools") for prefix in [f"{home}/tools"]
                 if f.endswith((".cmake", ".pc", ".h", ".md", ".1")) and (options.build in tree.read(f"{prefix}/{f}"))]
        check(f"the build folder is named in {leaks}", not leaks)
    tree.finish("install", debian.checked, debian.problems)


main()
