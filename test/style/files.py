"""Every source file opens with a comment, has at most 600 lines and leaves no unfinished work behind."""
import re
import tree

WALL = 600
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")

problems, checked = [], 0
for path in tree.files(".c", ".h", ".l", ".y", ".def", ".py", ".sh", ".cmake", ".gnn"):
    if path.startswith("test/fuzz/corpus/") or "/inputs/" in path.lower():
        continue
    text = tree.read(path)
    lines = text.split("\n")
    checked += 1
    if len(lines) - 1 > WALL:
        problems.append(f"{path}: {len(lines) - 1} lines; the wall is {WALL}")
    first = next((line for line in lines if line.strip() and not line.startswith("#!")), "")
    opens = ("/*", "//", "#", '"""', "%{", "%top{", "%option")
    if not first.startswith(opens):
        problems.append(f"{path}:1: does not open with a comment that says what it is")
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            problems.append(f"{path}:{number}: unfinished work: {line.strip()}")
        if "\t" in line and not path.endswith((".mk",)):
            problems.append(f"{path}:{number}: a tab")
            break
        if line != line.rstrip():
            problems.append(f"{path}:{number}: trailing blanks")
            break
tree.finish("files", checked, problems)
