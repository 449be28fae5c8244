"""Random models under clang's memory sanitizer: no result of generated C depends on memory that nobody wrote.

    python3 memory.py --count 60 --seed 1 [--bin build/bin] [--levels O0,O1,O2,O3] [--clang clang-22]

Each model is compiled at one level, with random switches, together with memory_main.c, which calls bind and run on blocks
fresh from malloc and then looks at every byte of the outputs. Without a clang that has the sanitizer everything is skipped.
The last line is "N passed, N failed, N skipped".
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
FLAGS = ["-std=c17", "-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=memory", "-fsanitize-memory-track-origins",
         "-ffp-contract=fast", f"-I{ROOT}"]


def find_clang(wanted):
    """The first of the compilers that makes programs with the sanitizer, or None."""
    with tempfile.TemporaryDirectory(prefix="gnnc-memory-") as folder:
        source = os.path.join(folder, "empty.c")
        with open(source, "w") as f:
            f.write("int main(void) { return 0; }\n")
        for clang in wanted:
            try:
                Tools.call([clang, "-fsanitize=memory", source, "-o", os.path.join(folder, "empty")])
                return clang
            except (Failed, OSError):
                continue
    return None


def write_graph(path, folder):
    """The graph of a case in the form that memory_main.c reads."""
    tensors, metadata = read(os.path.join(folder, "graph.safetensors"))
    edges = tensors["edge_index"].data
    typed, batched = "edge_type" in tensors, "ptr" in tensors
    head = [int(metadata["num_nodes"]), len(edges) // 2, tensors["ptr"].shape[0] - 1 if batched else 0, int(typed)]
    numbers = head + list(edges)
    for name in ["edge_type", "node_type"] * typed + ["batch"] * batched:
        numbers += tensors[name].data
    with open(path, "wb") as f:
        f.write(struct.pack(f"<{len(numbers)}i", *numbers))


def check(options, clang, level, folder):
    """Compiles and runs one case; raises Failed."""
    tools = Tools(options.bin)
    program, graph = os.path.join(folder, "random.c"), os.path.join(folder, "graph.bin")
    tools.compile(os.path.join(folder, "model.gnn"), program, os.path.join(folder, "graph.safetensors"),
                  os.path.join(folder, "weights.safetensors"), [f"-{level}", *more_options(folder, level, "random")])
    write_graph(graph, folder)
    binary = os.path.join(folder, "random")
    tools.call([clang, *FLAGS, "-DMODEL_INFO=random_info", os.path.join(HERE, "memory_main.c"), program, "-o", binary, "-lm"])
    tools.call([binary, graph])


def work(options, clang, seed):
    """(seed, level, what is wrong or None)."""
    level = options.levels[seed % len(options.levels)]
    folder = tempfile.mkdtemp(prefix=f"gnnc-memory-{seed}-")
    try:
        write_case(folder, generate(seed, options.size, 6, options.without))
        check(options, clang, level, folder)
        return seed, level, None
    except Failed as error:
        if options.keep:
            shutil.copytree(folder, os.path.join(options.keep, str(seed)), dirs_exist_ok=True)
        return seed, level, str(error)
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
    parser.add_argument("--clang", type=names, default=["clang-22", "clang"])
    parser.add_argument("--size", type=int, default=40, help="most nodes")
    parser.add_argument("--without", type=names, default=[], help="tags to leave out")
    parser.add_argument("--keep", metavar="FOLDER", help="write the files of failures there")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    clang = find_clang(options.clang)
    if clang is None:
        print(f"no {' or '.join(options.clang)} with -fsanitize=memory: nothing was looked at")
        print(f"0 passed, 0 failed, {options.count} skipped")
        return
    failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, level, wrong in pool.imap_unordered(functools.partial(work, options, clang), seeds):
            failed += wrong is not None
            if wrong is not None:
                print(f"FAILED seed {seed} -{level}: {wrong}", flush=True)
    print(f"{options.count - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
