"""#includes follow the arrows of docs/architecture.md, and only dialects/ir.h includes headers of mlir-c."""
import re
import tree

ARROWS = {
    "support": [],
    "data": ["support"],
    "isa": ["support"],
    "kernels": ["support"],
    "dialects": ["support"],
    "frontend": ["support", "dialects"],
    "passes": ["support", "dialects"],
    "codegen": ["support", "data", "dialects", "isa", "kernels"],
    "sim": ["support", "isa"],
    "runtime": ["support", "data", "isa", "sim", "kernels"],
    "tools": None,
    "test": None,
}

# Generated models and their callers share this header, so it belongs to no room alone.
SHARED = {"runtime/gnnc/abi.h"}

problems, checked = [], 0
for path in tree.files(".c", ".h", ".l", ".y", ".def"):
    room = path.split("/")[0]
    if room not in ARROWS:
        continue
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        m = re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', line)
        if not m:
            continue
        checked += 1
        target = m.group(1)
        if target.startswith("mlir-c/") and path != "dialects/ir.h":
            problems.append(f"{path}:{number}: includes {target}; only dialects/ir.h includes mlir-c")
        other = target.split("/")[0]
        if target not in SHARED and ARROWS[room] is not None and other in ARROWS and other != room and other not in ARROWS[room]:
            problems.append(f"{path}:{number}: room {room} includes {target}, but knows only {', '.join(ARROWS[room]) or 'itself'}")
tree.finish("rooms", checked, problems)
