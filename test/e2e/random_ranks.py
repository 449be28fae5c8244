"""Random models have the same bits on several ranks as in one process.

    python3 random_ranks.py --count 500 --seed 1 [--bin build/bin] [--levels O0,O2] [--ranks 3,8] [--mpirun] [--metis] [--columns] [--minimise] [--jobs 2]

Each model is compiled without and with --ranks. The nodes of its graph are in random cells, the worst cut, some cells empty, or in those of METIS; each number of ranks runs the
program on them, as threads or processes of mpirun, with one thread and with two in turns, and the program alone runs the whole graph. All outputs equal those of the program without --ranks bit
for bit (of models that add up all nodes, whose sums have the bits of the cells, those of one rank on the same cells, which are near those of the whole graph), and the ranks receive the bytes that the program says: for each exchange, ghosts times bytes of a row. Models that a rank cannot compute are refused by
gnnc, as [unsupported]; they are counted with their reasons. Those that read all nodes of a graph of a batch at once get cells that keep its graphs whole. The last line is "N passed, N failed, N refused".
"""
import collections
import dataclasses
import os
import random
import re
import subprocess

from programs import LIMIT_SECONDS, Failed, Tools
from ranks import MPI, Difference, check_bytes, check_near, check_parts, check_same, has_out_edges, run_ranks, scatter

from safetensors import read

from generate import write_case
from random_campaign import names, parser_of, print_rates, report_failure, run, run_seed, shrink_case

CELLS = 16
WHOLE = "the model reads all nodes of a graph at once"  # what gnn-run says of cells that cut graphs


class Refused(Exception):
    """Ranks cannot compute the model."""


@dataclasses.dataclass
class Result:
    """The result of one seed."""
    seed: int
    tags: list = dataclasses.field(default_factory=list)
    text: str = ""
    message: str | None = None
    refused: str = ""
    level: str = ""
    runs: int = 0
    ghosts: int = 0
    exchanges: int = 0
    transposed: int = 0


def compile_ranks(tools, model, output, graph, weights, options, ranks="--ranks"):
    """Compiles with --ranks, or --ranks=columns. Raises Refused with the reason where a rank cannot compute the model."""
    command = [tools.gnnc, "--target=c", ranks, model, f"--graph={graph}", f"--weights={weights}", "-o", output, *options]
    done = subprocess.run(command, capture_output=True, timeout=LIMIT_SECONDS, text=True)
    refused = re.search(r"\.gnn:\d+:\d+: error: --ranks(?:=columns)?: (.*\S) +\[unsupported\]", done.stderr)
    if done.returncode == 1 and refused and done.stderr.count("error:") == 1:
        raise Refused(refused[1])
    if done.returncode:
        raise Failed(f"{' '.join(command)}\nexit {done.returncode}: {done.stderr[-3000:]}")


def cc_flags(options, level, seed):
    """CFLAGS for the generated C, as gnn-run adds them to -O3. Compiling C takes most of the time, so one model of four has none."""
    return options.cc_flags if options.cc_flags is not None else "-O0" if level == "O0" else "-O1" if seed % 4 else ""


def needs_cells(source):
    """Whether a program adds up rows of all nodes."""
    with open(source, encoding="utf-8") as file:
        return "| GNNC_RANKS_CELLS" in file.read()


def has_columns(source):
    """Whether something in a program is sliced."""
    with open(source, encoding="utf-8") as file:
        return "| GNNC_RANKS_COLUMNS" in file.read()


def check_level(options, tools, folder, level, result):
    graph, weights, model, whole, part, cells, out = (os.path.join(folder, n) for n in (
        "graph.safetensors", "weights.safetensors", "model.gnn", "whole.c", "part.c", "cells.safetensors", "out.safetensors"))
    tools.compile(model, whole, graph, weights, [f"-{level}"])
    compile_ranks(tools, model, part, graph, weights, [f"-{level}"], "--ranks=columns" if options.columns else "--ranks")
    os.environ["CFLAGS"] = cc_flags(options, level, result.seed)
    expected = tools.run(whole, graph, weights, out)
    files = [f"--graph={graph}", f"--weights={weights}"]
    alone = tools.run(part, graph, weights, out, options=[f"--save-library={part}.so"])
    if options.columns:  # the program rounds products on their own
        check_near(alone, expected, "alone")
        expected = alone
    else:
        check_same(alone, expected, "alone")
    if needs_cells(part):  # sums over all nodes have the bits of the cells
        whole, expected = expected, run_ranks(tools, f"{part}.so", files, cells, out, 1)[0]
        check_near(expected, whole, "1 rank")
    for i, ranks in enumerate(options.ranks):
        mode = ["--mode=columns"] if has_columns(part) else []
        found, said = run_ranks(tools, f"{part}.so", files, cells, out, ranks, [f"--threads={1 + i % 2}", *mode], options.mpirun)
        result.transposed += sum(1 for e in said["exchanges"] if e["strips"])
        check_same(found, expected, f"{ranks} ranks")
        check_parts(said, graph, cells, f"{ranks} ranks", has_out_edges(part))
        result.ghosts += check_bytes(said, f"{ranks} ranks")
        result.exchanges += len(said["exchanges"])
        result.runs += 1


def whole_graphs(path):
    """For each node the first node of its graph, or of those that edges join to it."""
    tensors, metadata = read(path)
    count = int(metadata["num_nodes"])
    batch, ends = (tensors[name].data if name in tensors else [] for name in ("batch", "edge_index"))
    parent = list(range(count))

    def first(node):
        while parent[node] != node:
            node = parent[node]
        return node

    seen = {}
    pairs = [*zip(ends[:len(ends) // 2], ends[len(ends) // 2:]), *((n, seen.setdefault(batch[n] if batch else 0, n)) for n in range(count))]
    for a, b in pairs:
        a, b = sorted((first(a), first(b)))
        parent[b] = a
    return [first(n) for n in range(count)] if batch else None


def make_cells(options, tools, folder, seed, group=None):
    graph, cells = (os.path.join(folder, f"{n}.safetensors") for n in ("graph", "cells"))
    if options.metis and not group:
        tools.call([tools.gnn_data, "partition", "--method=metis", f"--cells={CELLS}", graph, "-o", cells])
    else:
        scatter(tools, graph, cells, random.Random(seed), CELLS, group)


def check_levels(options, tools, folder, result):
    for result.level in options.levels if result.seed % 5 == 0 else options.levels[-1:]:
        check_level(options, tools, folder, result.level, result)


def check_on_whole_graphs(options, tools, folder, result):
    group = whole_graphs(os.path.join(folder, "graph.safetensors"))
    if not group:
        raise Refused("gnn-run: the model reads all nodes of the one graph")
    make_cells(options, tools, folder, result.seed, group)
    check_levels(options, tools, folder, result)


def check_case(options, case, folder, result):
    """Runs every level and number of ranks; the message of the result is None when all agree."""
    tools, result.message = Tools(options.bin), None
    try:
        write_case(folder, case)
        make_cells(options, tools, folder, result.seed)
        try:
            check_levels(options, tools, folder, result)
        except Failed as error:
            if WHOLE not in str(error):
                raise
            check_on_whole_graphs(options, tools, folder, result)
    except Refused as refused:
        result.refused = str(refused)
    except (Failed, Difference) as error:
        result.message = f"-{result.level}: {error}"
    except Exception as error:  # an error of any kind in one model must not stop the others
        result.message = f"-{result.level}: {type(error).__name__}: {error}"
    return result


def kind_of(message):
    """The part of a message that a smaller model must repeat: the first error without numbers and names."""
    errors = re.search(r"error: .*", message)
    return re.sub(r"'[^']*'|\W?\w*\d+\w*", "", errors[0]) if errors else "differs" if "expected" in message else message[:40]


def shrink(options, case, result, folder):
    return shrink_case(case, result.message, lambda c: check_case(options, c, folder, Result(result.seed)).message, kind_of)


def work(task):
    """The result of one seed, with a smaller text if --minimise asks for one."""
    options, seed = task
    result = Result(seed)
    return run_seed(options, seed, result, lambda case, folder: check_case(options, case, folder, result),
                    lambda case, folder: shrink(options, case, result, folder))


def report(options, result):
    ways = [f"--{way}" for way in ("mpirun", "metis", "columns") if getattr(options, way)]
    report_failure(options, result, "random_ranks.py", " ".join([f"--ranks {','.join(map(str, options.ranks))}", *ways]))


def summarise(options, results, seconds):
    """Prints a summary. Returns 0 when the run passed: some models ran, exchanged rows, and had the same bits."""
    failures = print_rates(results)
    for reason, count in collections.Counter(r.refused for r in results if r.refused).most_common():
        print(f"refused {count}: {reason}")
    ran = [r for r in results if r.message is None and not r.refused]
    ghosts, exchanged = sum(r.ghosts for r in ran), sum(1 for r in ran if r.exchanges)
    by_columns = f"; {sum(1 for r in ran if r.transposed)} transpose them" if options.columns else ""
    print(f"{sum(r.runs for r in ran)} runs with {ghosts} ghosts; {exchanged} models exchange rows{by_columns}; {seconds:.0f} s")
    print(f"{len(ran)} passed, {len(failures)} failed, {sum(1 for r in results if r.refused)} refused")
    is_missed = len(results) > 10 and not (ghosts and exchanged) or len(results) > 3 and options.columns and not any(r.transposed for r in ran)
    return len(failures) + is_missed


def parse_options():
    parser = parser_of(__doc__, 200)
    parser.add_argument("--levels", type=names, default=["O0", "O2"], help="the last one for every model, the others for each fifth")
    parser.add_argument("--ranks", type=lambda t: [int(n) for n in names(t)], default=[3, 8])
    parser.add_argument("--mpirun", action="store_true", help="ranks are processes of mpirun and not threads")
    parser.add_argument("--metis", action="store_true", help="cells are those of METIS and not random")
    parser.add_argument("--columns", action="store_true", help="programs are made with --ranks=columns, and ranks have columns of all nodes")
    parser.add_argument("--cc-flags", help="CFLAGS for the generated C (default: -O0 at -O0; else -O1, or those of gnn-run for each fourth model)")
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.update(MPI)
    run(parse_options(), work, report, summarise)
