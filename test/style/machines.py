"""Shared files do not name machines. A machine's name may stand in its row of a table, in its folders, and in help texts that
use it as an example."""
import re
import tree

# In these rooms a folder with the name of a machine belongs to that machine.
FOLDERS = ("isa", "sim", "codegen", "runtime")
# A program for one machine belongs to that machine, too.
PROGRAMS = ("tools/gnn-spmm/",)
# Tables with a row or a column of machines, and help texts that give a machine as an example.
TABLES = {"isa/machines.def", "runtime/layouts.def", "codegen/feature.def", "tools/gnnc/gnnc_emits.def"}
ROOMS = ("support", "data", "kernels", "isa", "sim", "codegen", "runtime", "tools", "frontend", "dialects", "passes", "cmake")

machines = re.findall(r"^MACHINE\((\w+)", tree.read("isa/machines.def"), re.M)
devices = [m for m in machines if m != "host"]  # the name of the machine "host" is also a common word
name = re.compile("|".join(rf"{m}|{m.upper()}" for m in devices) + "|sextans|fusedgcn|agile_", re.I)
word = re.compile(r"\boverlay", re.I)

problems, checked = [], 0
for path in tree.files(".c", ".h", ".def", ".l", ".y", ".cmake", ".in", "CMakeLists.txt"):
    parts = path.split("/")
    if parts[0] not in ROOMS or path in TABLES or (parts[0] in FOLDERS and parts[1] in machines) or path.startswith(PROGRAMS):
        continue
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        checked += 1
        code = re.sub(r"GraphAGILE", "", line)  # the paper may be cited
        if name.search(code) or word.search(code):
            problems.append(f"{path}:{number}: names a machine: {line.strip()[:100]}")
tree.finish("machines", checked, problems)
