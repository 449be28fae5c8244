"""No shared file names a machine: only its row in a table, its folders, and what uses it as an example. """
import re
import tree

# Rooms where a folder of a machine's name is the machine's own.
FOLDERS = ("isa", "sim", "codegen", "runtime")
# Tables with a row or a column of machines, and pages of help that give one as an example.
TABLES = {"isa/machines.def", "runtime/layouts.def", "codegen/feature.def", "tools/gnnc/gnnc_emits.def"}
ROOMS = ("support", "data", "kernels", "isa", "sim", "codegen", "runtime", "tools", "frontend", "dialects", "passes", "cmake")

machines = re.findall(r"^MACHINE\((\w+)", tree.read("isa/machines.def"), re.M)
devices = [m for m in machines if m != "host"]  # the host is no device: its name is a word
name = re.compile("|".join(rf"{m}|{m.upper()}" for m in devices) + "|sextans|fusedgcn|agile_", re.I)
word = re.compile(r"\boverlay", re.I)

problems, checked = [], 0
for path in tree.files(".c", ".h", ".def", ".l", ".y", ".cmake", ".in", "CMakeLists.txt"):
    parts = path.split("/")
    if parts[0] not in ROOMS or path in TABLES or (parts[0] in FOLDERS and parts[1] in machines):
        continue
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        checked += 1
        code = re.sub(r"GraphAGILE", "", line)  # the paper may be cited
        if name.search(code) or word.search(code):
            problems.append(f"{path}:{number}: names a machine: {line.strip()[:100]}")
tree.finish("machines", checked, problems)
