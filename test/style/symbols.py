"""A library exports only names with the prefixes of its modules (module_verb_object), and the installed library only gnnc_ names.
No library calls a function that changes the whole process. Argument: the build folder."""
import os
import re
import subprocess
import sys
import tree

PROCESS_WIDE = {"umask", "chdir", "setlocale"}  # other threads would see it
# The prefixes of a room are the first word of each file and header in it, the names of its folders, and the words here.
EXTRA = {
    "support": ["span"],
    "frontend": ["gnn", "dim"],
    "passes": ["to"],
    "codegen": ["c", "program"],
    "isa": ["isa"],
    "runtime": ["gnnc"],
    "kernels": ["kernel"],
}
SANITIZER = re.compile(r"^(__|_GLOBAL_|asan|_start|_ZTV)")

build = sys.argv[1]
problems, checked = [], 0
for room in ("support", "data", "kernels", "isa", "sim", "dialects", "frontend", "passes", "codegen", "runtime"):
    archive = os.path.join(build, room, f"libgnnc_{room}.a")
    if not os.path.exists(archive):
        archive = os.path.join(build, f"libgnnc_{room}.a")
    if not os.path.exists(archive):
        problems.append(f"{room}: no library at {archive}")
        continue
    names = [os.path.splitext(os.path.basename(p))[0] for p in tree.files(".c", ".h", ".l", ".y") if p.startswith(room + "/")]
    folders = [part for p in tree.files(".c", ".h") if p.startswith(room + "/") for part in p.split("/")[1:-1]]
    prefixes = set(n.split("_")[0] for n in [*names, *folders]) | set(EXTRA.get(room, []))
    wanted = subprocess.run(["nm", "-u", archive], capture_output=True, text=True, check=True).stdout
    for name in sorted(PROCESS_WIDE & {line.split()[-1] for line in wanted.split("\n") if line.startswith(" ")}):
        problems.append(f"{room}: calls {name}, which changes the whole process")
    listing = subprocess.run(["nm", "-g", "--defined-only", archive], capture_output=True, text=True, check=True).stdout
    for line in listing.split("\n"):
        parts = line.split()
        if len(parts) != 3 or SANITIZER.match(parts[2]):
            continue
        checked += 1
        if parts[2].split("_")[0] not in prefixes:
            problems.append(f"{room}: exports {parts[2]}, which starts with none of its modules")
installed = os.path.join(build, "libgnnc.a")
if os.path.exists(installed):
    listing = subprocess.run(["nm", "-g", "--defined-only", installed], capture_output=True, text=True, check=True).stdout
    for line in listing.split("\n"):
        parts = line.split()
        if len(parts) == 3 and not SANITIZER.match(parts[2]):
            checked += 1
            if not parts[2].startswith("gnnc_"):
                problems.append(f"libgnnc.a exports {parts[2]}, not a gnnc_ name")
tree.finish("symbols", checked, problems)
