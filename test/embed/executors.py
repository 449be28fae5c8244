"""The executors of docs/embedding.md compile, run, and give the same bits as a run without them: executors.py BIN CC WORK

Each code block of the page whose second word after ``` is in BLOCKS becomes a program with test/embed/executors/compare.h. A block whose library
is not installed is counted as skipped; the pool of the runtime always runs. The environment variable CXX names the C++ compiler, c++ by default."""
import os
import re
import shlex
import subprocess
import sys

BIN, CC, WORK = os.path.abspath(sys.argv[1]), shlex.split(sys.argv[2]), os.path.abspath(sys.argv[3])
CXX = shlex.split(os.environ.get("CXX", "c++"))
C = CC + ["-std=c17"]
# second word: (language, function, compiler, options, a header of the library)
BLOCKS = {
    "pool": ("c", "run_on_pool", C + ["-pthread"], ["runtime/executor.c", "support/thread_pool.c"], "pthread.h"),
    "openmp": ("c", "run_on_openmp", C + ["-fopenmp"], [], "omp.h"),
    "onetbb": ("cpp", "run_on_onetbb", CXX + ["-std=c++17"], ["-ltbb"], "tbb/task_arena.h"),
}


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError as missing:
        return subprocess.CompletedProcess(command, 127, "", str(missing))


def must(command):
    done = run(command)
    if done.returncode:
        sys.exit(f"executors: {' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def is_installed(word):
    """Whether a program that uses the library's header compiles and links."""
    language, _, compiler, options, header = BLOCKS[word]
    source = write(f"probe_{word}.{language}", f"#include <{header}>\nint main(void) {{ return 0; }}\n")
    libraries = [o for o in options if o.startswith("-l")]
    return run(compiler + [source, "-o", os.path.join(WORK, f"probe_{word}")] + libraries).returncode == 0


os.makedirs(WORK, exist_ok=True)
with open("docs/embedding.md", encoding="utf-8") as page:
    found = {word: (language, text) for language, word, text in re.findall(r"^```(c|cpp) (?!train$)(\w+)\n(.*?)^```$", page.read(), re.M | re.S)}
if sorted(found) != sorted(BLOCKS):
    sys.exit(f"executors: docs/embedding.md has the blocks {sorted(found)}, expected {sorted(BLOCKS)}")

for name in ("karate", "karate_gcn"):
    must([f"{BIN}/gnn-data", "convert", f"examples/karate/{name}.txt", "-o", f"{WORK}/{name}.safetensors"])
must([f"{BIN}/gnnc", "--target=c", "examples/gcn.gnn", f"--weights={WORK}/karate_gcn.safetensors", f"--graph={WORK}/karate.safetensors",
      "--features=dense", "-o", f"{WORK}/gcn.c"])
must(C + ["-O2", "-c", f"{WORK}/gcn.c", "-o", f"{WORK}/gcn.o"])

skipped = []
for word, (language, function, compiler, options, header) in BLOCKS.items():
    if found[word][0] != language:
        sys.exit(f"executors: the block {word} is {found[word][0]}, expected {language}")
    if word != "pool" and not is_installed(word):
        skipped.append(f"{word}: no {header}")
        continue
    program = f'#include "gcn.h"\n{found[word][1]}\n#define RUN {function}\n#include "compare.h"\n'
    source = write(f"{word}.{language}", program)
    must(compiler + ["-O2", "-Wall", "-Wextra", "-Werror", "-I", WORK, "-I", ".", "-I", "runtime", "-I", "test/embed/executors", source, f"{WORK}/gcn.o"]
         + options + ["-lm", "-o", f"{WORK}/{word}"])
    print(f"{word}: {must([f'{WORK}/{word}']).strip()}")
print(f"executors: {len(BLOCKS) - len(skipped)} passed, {len(skipped)} skipped {skipped if skipped else ''}")
