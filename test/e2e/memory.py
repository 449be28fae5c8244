"""Random models run under the sanitizers of gcc and clang: on any graph, generated C accesses only its blocks and reads no unwritten memory.

    python3 memory.py --count 60 --seed 1 [--bin build/bin] [--levels O0,O1,O2,O3] [--tools memory,address]

Each model is compiled at one level, with random switches, together with memory_main.c, which calls bind and run with 1, 2 and 3
threads on new blocks of exactly the model's sizes, and then makes the graph wrong. Under clang's memory sanitizer it reads every
byte of the outputs; gcc's address and undefined-behaviour sanitizers run together. Every warning is an error. A tool that is not
installed skips its models. The last line is "N passed, N failed, N skipped".
"""
import argparse
import functools
import multiprocessing
import os
import shutil
import struct
import sys
import tempfile

from programs import ROOT, Failed, Tools

from random_models import more_options

from generate import generate, write_case
from safetensors import read

HERE = os.path.dirname(os.path.abspath(__file__))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wundef",
            "-Wformat=2", "-Wvla", "-Werror"]
FLAGS = ["-std=c17", "-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=fast", f"-I{ROOT}"]
TOOLS = {
    "memory": ([["clang-22"], ["clang"]], ["-fsanitize=memory", "-fsanitize-memory-track-origins", "-Wno-unknown-pragmas"]),
    "address": ([["gcc"], ["clang-22"], ["clang"]], ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
}
SKIPPED = "skipped"


def find_compiler(tool):
    """The first compiler of a tool that can build programs with the tool's flags, as a command; or None."""
    compilers, flags = TOOLS[tool]
    with tempfile.TemporaryDirectory(prefix="gnnc-memory-") as folder:
        source = os.path.join(folder, "empty.c")
        with open(source, "w") as f:
            f.write("int main(void) { return 0; }\n")
        for compiler in compilers:
            try:
                Tools.call([*compiler, *flags, source, "-o", os.path.join(folder, "empty")])
                return [*compiler, *flags]
            except (Failed, OSError):
                continue
    return None


def write_graph(path, folder):
    """Writes the graph of a case in the form that memory_main.c reads."""
    tensors, metadata = read(os.path.join(folder, "graph.safetensors"))
    edges = tensors["edge_index"].data
    typed, batched = "edge_type" in tensors, "ptr" in tensors
    head = [int(metadata["num_nodes"]), len(edges) // 2, tensors["ptr"].shape[0] - 1 if batched else 0, int(typed)]
    numbers = head + list(edges)
    for name in ["edge_type", "node_type"] * typed + ["batch"] * batched:
        numbers += tensors[name].data
    with open(path, "wb") as f:
        f.write(struct.pack(f"<{len(numbers)}i", *numbers))


def check(options, compiler, level, folder):
    """Compiles and runs one case; raises Failed."""
    tools = Tools(options.bin)
    program, graph = os.path.join(folder, "random.c"), os.path.join(folder, "graph.bin")
    tools.compile(os.path.join(folder, "model.gnn"), program, os.path.join(folder, "graph.safetensors"),
                  os.path.join(folder, "weights.safetensors"), [f"-{level}", *more_options(folder, level, "random")])
    write_graph(graph, folder)
    binary = os.path.join(folder, "random")
    tools.call([*compiler, *FLAGS, *WARNINGS, "-DMODEL_INFO=random_info", os.path.join(HERE, "memory_main.c"), f"{ROOT}/runtime/executor.c", f"{ROOT}/support/thread_pool.c", program,
                "-D_POSIX_C_SOURCE=200809L", "-pthread", "-o", binary, "-lm"])
    tools.call([binary, graph])


def work(options, compilers, seed):
    """Returns (seed, level, tool, error or None)."""
    level = options.levels[seed % len(options.levels)]
    tool = options.tools[seed // len(options.levels) % len(options.tools)]
    if compilers[tool] is None:
        return seed, level, tool, SKIPPED
    folder = tempfile.mkdtemp(prefix=f"gnnc-memory-{seed}-")
    try:
        write_case(folder, generate(seed, options.size, 6, options.without))
        check(options, compilers[tool], level, folder)
        return seed, level, tool, None
    except Failed as error:
        if options.keep:
            shutil.copytree(folder, os.path.join(options.keep, str(seed)), dirs_exist_ok=True)
        return seed, level, tool, str(error)
    finally:
        shutil.rmtree(folder)


def names(text):
    return [t for t in text.split(",") if t]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--levels", type=names, default=["O0", "O1", "O2", "O3"], help="taken in turn")
    parser.add_argument("--tools", type=names, default=["memory", "address"], help="taken in turn: memory, address")
    parser.add_argument("--size", type=int, default=40, help="most nodes")
    parser.add_argument("--without", type=names, default=[], help="tags to leave out")
    parser.add_argument("--keep", metavar="FOLDER", help="write the files of failures there")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    compilers = {tool: find_compiler(tool) for tool in options.tools}
    for tool, compiler in compilers.items():
        if compiler is None:
            print(f"no compiler with -fsanitize={tool}: its models are skipped")
    failed = skipped = 0
    with multiprocessing.Pool(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, level, tool, wrong in pool.imap_unordered(functools.partial(work, options, compilers), seeds):
            skipped += wrong == SKIPPED
            failed += wrong not in (None, SKIPPED)
            if wrong not in (None, SKIPPED):
                print(f"FAILED seed {seed} -{level} ({tool}): {wrong}", flush=True)
    print(f"{options.count - failed - skipped} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
