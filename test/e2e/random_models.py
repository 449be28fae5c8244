"""Generated C agrees with the interpreter of the syntax tree on random models and random graphs.

    python3 random_models.py --count 200 --seed 1 [--bin build/bin] [--levels O0,O1,O2,O3] [--threads 1,2]
                             [--float f32,f64,bf16] [--switches random] [--without typed] [--keep FOLDER] [--jobs 2]

Each number may differ from the interpreter's by SLACK times its bound, which is the network over absolute values in units
of 2^-24 (of the f64 program 2^-53), and by half a unit in the last place of f32, to which outputs are rounded. --float bf16
is f32 with rows between kernels in bf16, here of any width: the bound is in units of 2^-8. Different
thread counts must agree bit for bit. The C of
the last level also runs on a graph with fewer edges than the one it was compiled for.
The last line is "N passed, N failed"; for each failure there is a command that repeats it alone, and with --minimise a
smaller model that fails the same way.
"""
import copy
import dataclasses
import math
import os
import random
import re

from programs import Failed, Tools

import values
from generate import write_case
from interpreter import Interpreter
from random_campaign import names, parser_of, print_rates, report_failure, run, run_seed, shrink_case
from random_orders import PRODUCTIONS_FOR_C
from safetensors import Tensor, read, write

SLACK = 4.0
SWITCHES = ["merge-relations", "order", "fuse-linear", "aggregate-first", "compact", "fuse-activation", "hoist", "fuse-softmax", "fuse-loops",
            "exchange-loops", "fuse-sums"]
TINY = 1e-30
# bf16: a stored number is rounded once, by at most 2^-8 of it, which is SLACK times this
UNITS = {"f32": 2.0**-24, "f64": 2.0**-53, "bf16": 2.0**-8 / SLACK}


class Difference(Exception):
    """A tensor differs from the interpreter's."""


def number_options(tools, folder, level, float_type, more):
    """The options of a level and a type of numbers. -fbf16-rows leaves short rows alone, of which random models consist: the pass is told to take them, too."""
    if float_type != "bf16":
        return [f"-{level}", f"--float={float_type}", *more]
    files = [os.path.join(folder, "model.gnn"), *(f"--{n}={os.path.join(folder, n)}.safetensors" for n in ("graph", "weights"))]
    passes = tools.call([tools.gnnc, "--target=c", *files, f"-{level}", *more, "-fbf16-rows", "--print-pipeline"]).decode().strip()
    return [f"-{level}", f"--pass-pipeline={passes.replace('intra-narrow-rows', 'intra-narrow-rows{fewest=1}')}"]


def expected_outputs(tools, folder, graph=None):
    """The interpreter's outputs with their bounds: name -> Value."""
    tree = tools.tree(os.path.join(folder, "model.gnn"))
    values.tracking = True
    return Interpreter(tree, read(graph or os.path.join(folder, "graph.safetensors")),
                       read(os.path.join(folder, "weights.safetensors"))[0]).run()


def half_place(number):
    """Half a unit in the last place of f32 near the number, which is the error of rounding to f32."""
    return math.ldexp(1.0, max(math.frexp(number)[1], -125) - 25)


def compare(name, value, tensor, unit):
    """Raises Difference at the worst element if it is too far away; `unit` is the roundoff of the arithmetic. Returns how many elements had a bound, and the largest
    difference divided by the tolerance."""
    shape = list(value.shape) if value.domain is None else [len(value.rows), *value.shape]
    if list(tensor.shape) != shape:
        raise Difference(f"{name}: shape {tensor.shape}, expected {shape}")
    numbers = [x for row in value.rows for x in row]
    bounds = [x for row in value.error_rows() for x in row]
    worst, where, looked_at = 0.0, None, 0
    for i, (number, bound, got) in enumerate(zip(numbers, bounds, tensor.data)):
        if bound == values.INFINITE:
            continue
        looked_at += 1
        away = max(abs(got - number) - half_place(number), 0.0) if got == got else values.INFINITE
        ratio = away / (SLACK * bound * unit + TINY)
        if ratio > worst:
            worst, where = ratio, i
    if worst > 1.0:
        raise Difference(f"{name}{position(where, shape)}: {tensor.data[where]!r}, expected {numbers[where]!r} "
                         f"({worst:.3g} times the tolerance)")
    return looked_at, worst


def position(index, shape):
    out = []
    for size in reversed(shape):
        out.append(index % size)
        index //= size
    return list(reversed(out))


def more_options(folder, level, switches):
    """Random options: the form of the features, where the graph file has several, and the switches. They depend on the first line of
    the model, which contains its seed, and on the level."""
    with open(os.path.join(folder, "model.gnn")) as f:
        rng = random.Random(f.readline() + level)
    tensors = read(os.path.join(folder, "graph.safetensors"), ["x", "x_indptr"])[0]
    forms = ["auto", "dense", "sparse"] if "x_indptr" in tensors else ["auto", "dense"]
    chosen = [f"-f{rng.choice(['', 'no-'])}{name}" for name in SWITCHES if rng.random() < 0.75]
    return [f"--features={rng.choice(forms)}", *(chosen if switches == "random" else [])]


def write_thinner_graph(folder, other):
    """Writes the graph without a third of its edges: a compiled model must also run on other graphs."""
    tensors, metadata = read(os.path.join(folder, "graph.safetensors"))
    count = tensors["edge_index"].shape[1]
    kept = [e for e in range(count) if (7 * e + count) % 3]
    for name, tensor in list(tensors.items()):
        if name == "edge_index":
            data = [tensor.data[e + end] for end in (0, count) for e in kept]
            tensors[name] = Tensor(tensor.dtype, [2, len(kept)], data)
        elif name in ("w", "edge_type", "edge_weight", "edge_attr") or name.startswith("t_"):
            size = math.prod(tensor.shape[1:])
            data = [x for e in kept for x in tensor.data[e * size:(e + 1) * size]]
            tensors[name] = Tensor(tensor.dtype, [len(kept), *tensor.shape[1:]], data)
    write(other, tensors, metadata)


def check_other_graph(tools, folder, float_type):
    """Runs the library that check_variant built on a graph with fewer edges."""
    other = os.path.join(folder, "thinner.safetensors")
    write_thinner_graph(folder, other)
    expected = expected_outputs(tools, folder, other)
    got = tools.run(os.path.join(folder, "random.c.so"), other, os.path.join(folder, "weights.safetensors"),
                    os.path.join(folder, "out.safetensors"))
    for name, value in expected.items():
        try:
            compare(name, value, got[name], UNITS[float_type])
        except Difference as error:
            raise Difference(f"with fewer edges, {error}") from None


def check_variant(tools, folder, level, float_type, options, expected):
    """Compiles once and runs with each number of threads. Returns how many numbers were compared, and the largest difference."""
    threads = options.threads
    graph, weights = (os.path.join(folder, f"{n}.safetensors") for n in ("graph", "weights"))
    program = os.path.join(folder, "random.c")
    tools.compile(os.path.join(folder, "model.gnn"), program, graph, weights,
                  number_options(tools, folder, level, float_type, more_options(folder, level, options.switches)))
    first, looked_at, worst = None, 0, 0.0
    for count, got in tools.run_with_threads(program, graph, weights, os.path.join(folder, "out.safetensors"), threads):
        if sorted(got) != sorted(expected):
            raise Difference(f"outputs {sorted(got)}, expected {sorted(expected)}")
        if first is None:
            first = got
            results = [compare(n, v, got[n], UNITS[float_type]) for n, v in expected.items()]
            looked_at, worst = sum(r[0] for r in results), max(r[1] for r in results)
        for name, tensor in got.items():
            if bits(tensor) != bits(first[name]):
                raise Difference(f"{name}: {count} threads and {threads[0]} disagree")
    return looked_at, worst


def bits(tensor):
    return [repr(x) for x in tensor.data]


def cc_flags(options, level):
    if options.cc_flags is not None:
        return options.cc_flags
    return "-O0" if level == "O0" else "-O1"


@dataclasses.dataclass
class Result:
    """The result of one seed. `worst` is the largest difference divided by the tolerance, by number type."""
    seed: int
    tags: list = dataclasses.field(default_factory=list)
    text: str = ""
    message: str | None = None
    compared: int = 0
    total: int = 0
    worst: dict = dataclasses.field(default_factory=dict)


def check_case(options, case, folder, result):
    """Runs every variant of one case in a folder and fills in the result; its message is None when all runs agree."""
    tools, result.message = Tools(options.bin), None
    try:
        write_case(folder, case)
        expected, made_with = None, None
        for float_type in options.float:
            unit = 2.0**-8 if float_type == "bf16" else UNITS["f32"]
            if unit != made_with:
                values.set_unit(unit)
                expected, made_with = expected_outputs(tools, folder), unit
            for level in options.levels if float_type != "f64" else ["O0"]:
                os.environ["CFLAGS"] = cc_flags(options, level)
                try:
                    compared, worst = check_variant(tools, folder, level, float_type, options, expected)
                    if level == options.levels[-1] and float_type != "f64":
                        check_other_graph(tools, folder, float_type)
                except (Failed, Difference) as error:
                    chosen = " ".join(more_options(folder, level, options.switches))
                    result.message = f"-{level} --float={float_type}: {error} ({chosen})"
                    return result
                result.compared += compared
                result.total += sum(len(row) for v in expected.values() for row in v.rows)
                result.worst[float_type] = max(worst, result.worst.get(float_type, 0.0))
    except Exception as error:  # an error of any kind in one model must not stop the others
        result.message = f"{type(error).__name__}: {error}"
    return result


def kind_of(message):
    """The part of a message that a smaller model must repeat: the variant, and the first error without numbers and names."""
    variant = " ".join(message.split()[:2]).rstrip(":")
    errors = re.search(r"(error: .*|warning: .*)", message)
    if errors:
        return variant + re.sub(r"'[^']*'|\W?\w*\d+\w*", "", errors[1])
    said = message.rsplit(" (", 1)[0]
    return variant + ("" if " tolerance" in message else re.sub(r"\d+", "", said[-60:]))


def shrink(options, case, message, folder):
    """The case with a smaller text that fails the same way in the variant that failed."""
    variant = re.match(r"-(\w+) --float=(\w+)", message)
    if not variant:
        return None
    narrow = copy.copy(options)
    narrow.levels, narrow.float = [variant[1]], [variant[2]]
    return shrink_case(case, message, lambda c: check_case(narrow, c, folder, Result(0)).message, kind_of)


def work(task):
    """The result of one seed, with a smaller text if --minimise asks for one."""
    options, seed = task
    result = Result(seed)
    return run_seed(options, seed, result, lambda case, folder: check_case(options, case, folder, result),
                    lambda case, folder: shrink(options, case, result.message, folder))


def report(options, result):
    report_failure(options, result, "random_models.py", f"--float {','.join(options.float)} --switches {options.switches}")


def summarise(options, results, seconds):
    """Prints a summary. Returns 0 when the run passed."""
    failures = print_rates(results)
    for float_type in options.float:
        worst = max((r.worst.get(float_type, 0.0) for r in results), default=0.0)
        print(f"largest difference of {float_type}: {worst:.2g} of what is allowed")
    compared, total = sum(r.compared for r in results), sum(r.total for r in results)
    print(f"{compared} of {total} numbers had a bound and were compared; {seconds:.0f} s")
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return len(failures) + (len(results) > 10 and not compared)


def parse_options():
    parser = parser_of(__doc__, 200)
    parser.add_argument("--levels", type=names, default=["O0", "O1", "O2", "O3"])
    parser.add_argument("--threads", type=lambda t: [int(n) for n in names(t)], default=[1, 2])
    parser.add_argument("--float", type=names, default=["f32", "f64"])
    parser.add_argument("--switches", choices=["default", "random"], default="default",
                        help="the optimisations of the -O level, or each by chance forced, forbidden or left to it")
    parser.add_argument("--cc-flags", help="CFLAGS for the generated C, as gnn-run adds them to -O3 (default: -O0 for -O0, "
                        "-O1 for the others: compiling C takes most of the time)")
    options = parser.parse_args()
    if "bf16" in options.float:  # an order of numbers is known for those of f32 alone: a number rounded to bf16 may come before another one
        options.without = [*options.without, *(p for p in PRODUCTIONS_FOR_C if p not in options.without)]
    return options


if __name__ == "__main__":
    run(parse_options(), work, report, summarise)
