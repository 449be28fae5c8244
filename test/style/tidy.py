"""clang-tidy (pinned) reports nothing about the compiler's sources. Arguments: run-clang-tidy, clang-tidy, the build folder."""
import subprocess
import sys
import tree

runner, tidy, build = sys.argv[1:4]
rooms = ("support", "data", "kernels", "isa", "sim", "dialects", "frontend", "passes", "codegen", "runtime", "tools")
sources = [f for f in tree.files(".c") if f.startswith(tuple(r + "/" for r in rooms))]
run = subprocess.run([runner, "-clang-tidy-binary", tidy, "-quiet", "-p", build, "-j", "2"] + ["^.*/" + f + "$" for f in sources],
                     capture_output=True, text=True)
problems = sorted(set(line for line in run.stdout.split("\n") if ": error:" in line or ": warning:" in line))
if run.returncode and not problems:
    problems = [run.stdout[-2000:] + run.stderr[-2000:]]
tree.finish("tidy", len(sources), problems)
