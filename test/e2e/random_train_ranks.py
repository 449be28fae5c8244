"""Random models are trained with the same bits by any number of ranks.

    python3 random_train_ranks.py --count 500 --seed 1 [--bin build/bin] [--ranks 2,3,8] [--mpirun] [--epochs 3] [--jobs 2]

Each model has a loss, and some have dropout. Its graph is in random cells, the worst cut, some of them empty. One rank, and then each other number of ranks, as threads or processes of
mpirun, make the same steps of Adam from the same weights; the trained weights are compared byte by byte, and losses as they are printed. Models that ranks cannot train are
refused by gnnc, as [unsupported], or by gnn-train; they are counted with their reasons, as are those without a derivative, without a trained weight, and with a loss that is no number. The
last line is "N passed, N failed, N refused".
"""
import collections
import dataclasses
import os
import random
import re
import subprocess

from programs import Failed, Tools
from random_ranks import CELLS, WHOLE, Refused, kind_of, whole_graphs
from ranks import MPI, call_mpirun, scatter
from random_campaign import names, parser_of, print_rates, report_failure, run, run_seed, shrink_case

from generate import write_case

FLAGS = ["-std=c17", "-O1", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]
# what gnnc and gnn-train say of models that ranks do not train
REASONS = [r"\.gnn:\d+:\d+: error: --ranks: (.*\S) +\[unsupported\]", r"error: (.*\S) +\[no-derivative\]", r"error: [^\n]*(no trained weight)", r"error: [^\n]*(has no nodes, so no rank has it)",
           r"error: [^\n]*(is not finite|not a number|NaN)"]


@dataclasses.dataclass
class Result:
    """The result of one seed."""
    seed: int
    text: str = ""
    message: str | None = None
    refused: str = ""
    runs: int = 0
    tags: list = dataclasses.field(default_factory=list)


class WholeGraphs(Exception):
    """The model reads all nodes of a graph at once."""


def call(command):
    try:
        return Tools.call(command)
    except Failed as failed:
        if WHOLE in str(failed):
            raise WholeGraphs() from None
        for reason in REASONS:
            found = re.search(reason, str(failed))
            if found:
                raise Refused(re.sub(r"'[^']*'", "'..'", found[1])) from None
        raise


def train(options, tools, folder, ranks):
    """Returns the bytes of the trained weights and the lines of the curve, without times."""
    graph, weights, program, cells, out, curve = (os.path.join(folder, n) for n in (
        "graph.safetensors", "weights.safetensors", "train.so", "cells.safetensors", "trained.safetensors", "curve.csv"))
    for path in (out, curve):
        if os.path.exists(path):
            os.unlink(path)
    command = [os.path.join(os.path.dirname(tools.gnn_run), "gnn-train"), program, f"--graph={graph}", f"--weights={weights}", f"--cells={cells}",
               f"--epochs={options.epochs}", "--seed=7", "--rate=0.01", "-o", out, f"--curve={curve}", f"--threads={1 + ranks % 2}"]
    if options.mpirun:
        call_mpirun(call, ranks, command)
    else:
        call([*command, f"--local-ranks={ranks}"])
    with open(out, "rb") as found, open(curve, encoding="utf-8") as lines:
        return found.read(), [line.rsplit(",", 1)[0] for line in lines.read().splitlines()]


def check(options, folder, result):
    """Returns what is wrong, or None."""
    tools = Tools(options.bin)
    graph, weights, model, source, cells = (os.path.join(folder, n) for n in ("graph.safetensors", "weights.safetensors", "model.gnn", "train.c", "cells.safetensors"))
    call([tools.gnnc, "--target=c", "--train", "--ranks", f"-O{2 if result.seed % 4 else 0}", "-Wno-all", model, f"--graph={graph}", f"--weights={weights}", "-o", source])
    subprocess.run([os.environ.get("CC") or "cc", *FLAGS, "-o", os.path.join(folder, "train.so"), source, "-lm"], check=True)
    scatter(tools, graph, cells, random.Random(result.seed), CELLS)
    expected = train(options, tools, folder, 1)
    try:
        train(options, tools, folder, max(options.ranks))
    except WholeGraphs:  # no cell may cut a graph of the batch
        group = whole_graphs(graph)
        if not group:
            raise Refused("gnn-train: the model reads all nodes of the one graph") from None
        scatter(tools, graph, cells, random.Random(result.seed), CELLS, group)
        expected = train(options, tools, folder, 1)
    except Refused as refused:
        return f"{max(options.ranks)} ranks: {refused}, and one rank trains the model"
    for ranks in options.ranks:
        try:
            found = train(options, tools, folder, ranks)
        except Refused as refused:
            return f"{ranks} ranks: {refused}, and one rank trains the model"
        result.runs += 1
        if found[1] != expected[1]:
            return f"{ranks} ranks: the curve is {found[1]}, expected {expected[1]}"
        if found[0] != expected[0]:
            return f"{ranks} ranks: the weights differ"
    return None


def check_case(options, case, folder, result):
    """Trains the model of a case; the message of the result is None where all trainings agree."""
    result.message = None
    try:
        write_case(folder, case)
        result.message = check(options, folder, result)
    except Refused as refused:
        result.refused = str(refused)
    except Exception as error:  # an error of any kind in one model must not stop the others
        result.message = f"{type(error).__name__}: {str(error)[-1500:]}"
    return result


def shrink(options, case, result, folder):
    return shrink_case(case, result.message, lambda c: check_case(options, c, folder, Result(result.seed)).message, kind_of)


def work(task):
    options, seed = task
    result = Result(seed)
    return run_seed(options, seed, result, lambda case, folder: check_case(options, case, folder, result),
                    lambda case, folder: shrink(options, case, result, folder), has_loss=True)


def report(options, result):
    report_failure(options, result, "random_train_ranks.py", f"--ranks {','.join(map(str, options.ranks))}{' --mpirun' * options.mpirun}", has_loss=True)


def summarise(options, results, seconds):
    """Prints a summary. Returns 0 when the run passed: some models ran, and all of them had the same bits."""
    failures = print_rates(results)
    refused = [r.refused for r in results if r.refused]
    for reason, count in collections.Counter(refused).most_common():
        print(f"refused {count}: {reason}")
    ran = [r for r in results if r.message is None and not r.refused]
    print(f"{sum(r.runs for r in ran)} trainings were compared with that of one rank; {seconds:.0f} s")
    print(f"{len(ran)} passed, {len(failures)} failed, {len(refused)} refused")
    return len(failures) + (len(results) > 1 and not ran)


def main():
    parser = parser_of(__doc__, 100)
    parser.add_argument("--ranks", type=lambda t: [int(n) for n in names(t)], default=[2, 3, 8])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--mpirun", action="store_true", help="ranks are processes of mpirun and not threads")
    run(parser.parse_args(), work, report, summarise)


if __name__ == "__main__":
    os.environ.update(MPI)
    main()
