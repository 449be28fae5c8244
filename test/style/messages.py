"""Every message of support/diag.def is shown by at least one test that expects its id."""
import re
import tree

ids = [m.replace("_", "-") for m in re.findall(r"^DIAG\((\w+),", tree.read("support/diag.def"), re.M)]
tests = "\n".join(tree.read(p) for p in tree.files() if p.startswith("test/") and not p.startswith("test/style/"))
problems = []
for name in ids:
    shown = f"[{name}]" in tests or f"[[{name}]" in tests or f"DIAG_{name.replace('-', '_')}" in tests or f"\\[{name}\\]" in tests
    if not shown:
        problems.append(f"support/diag.def: no test shows [{name}]")
tree.finish("messages", len(ids), problems)
