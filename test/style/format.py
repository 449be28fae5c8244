"""C code is formatted as .clang-format says; the argument is the pinned clang-format."""
import subprocess
import sys
import tree

sources = tree.files(".c", ".h")
problems = []
for start in range(0, len(sources), 40):
    run = subprocess.run([sys.argv[1], "--dry-run", "-Werror"] + sources[start:start + 40], capture_output=True, text=True)
    if run.returncode:
        problems += [line for line in run.stderr.split("\n") if "error:" in line]
tree.finish("format", len(sources), sorted(set(p.split(":")[0] + ": not formatted" for p in problems)))
