"""Gradients of generated C agree with differences of the interpreter's loss, on random models and random graphs.

    python3 gradients.py --count 100 --seed 1 [--bin build/bin] [--levels O0,O2] [--without typed] [--keep FOLDER] [--jobs 2]

A model has a loss. Generated C computes it with its gradients: at -O0 in double precision, at the other levels in f32. The
interpreter computes the loss, in double precision, at points beside the weights along random directions. Central differences of two
steps, extrapolated, are the derivative along the direction; it must be the inner product with the gradients. Where the two
steps differ, the loss has a kink there (relu at 0, a maximum that changes its member), and the direction is left out. So is one that fails where
the bound of tape.py says that rounding alone may do this: rows that are all equal, normalised, then divided by their length.

    f64   |g . v - difference| <= 1e-6 * sum |g_i v_i| + noise of the difference
    f32   the same with 2e-3, on models whose loss is well conditioned: it shows wrong rules, not rounding

The last line is "N passed, N failed"; models that the compiler refuses to differentiate are counted apart.
"""
import dataclasses
import json
import math
import os
import random
import re
import sys
import tempfile
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))

from programs import Failed, Tools  # noqa: E402  (after the change of sys.path)
from random_campaign import names, parser_of, run  # noqa: E402

import values  # noqa: E402
from generate import generate, write_case  # noqa: E402
from interpreter import Interpreter  # noqa: E402
from native import Program, build  # noqa: E402
from safetensors import Tensor, read  # noqa: E402

DIRECTIONS = 4
MOST_KINKS, MOST_UNCHECKED = 0.05, 0.3
TOLERANCE = {"f64": 1e-6, "f32": 2e-3}
EXPECTED = 1e-6  # of the terms; what is beyond it is counted


@dataclasses.dataclass
class Result:
    seed: int
    message: str | None = None
    refused: str | None = None
    directions: int = 0
    kinks: int = 0
    worst: float = 0.0
    beyond: int = 0
    rounded: int = 0
    tags: list = dataclasses.field(default_factory=list)


class Loss:
    """The interpreter's loss as a function of the weights."""

    def __init__(self, tools, folder):
        self.tree = tools.tree(os.path.join(folder, "model.gnn"))
        self.graph = read(os.path.join(folder, "graph.safetensors"))
        self.weights = read(os.path.join(folder, "weights.safetensors"))[0]

    def at(self, changed):
        values.tracking = False
        weights = dict(self.weights)
        for name, data in changed.items():
            weights[name] = Tensor("F32", self.weights[name].shape, data)  # F64 would be rounded, as the loaders do
        interpreter = Interpreter(self.tree, self.graph, weights, with_loss=True)
        interpreter.batch_statistics = True
        return interpreter.run()["total"].rows[0][0]


def shown(number):
    return f"{number:.6g}"


def difference(loss, weights, direction, scale):
    """The derivative of the loss along a direction, and how far the two steps differ."""
    def along(h):
        ends = []
        for sign in (1, -1):
            moved = {name: [w + sign * h * v for w, v in zip(weights[name], direction[name])] for name in direction}
            ends.append(loss.at(moved))
        return (ends[0] - ends[1]) / (2 * h)

    first, second = along(scale), along(scale / 2)
    return (4 * second - first) / 3, abs(first - second)


def random_direction(rng, tensors, trained):
    return {name: [rng.gauss(0, 1) * max(0.1, abs(x)) for x in tensors[name].data] for name in trained}


def check_direction(loss, gradients, tensors, direction, tolerance, result):
    exact = sum(g * v for name in direction for g, v in zip(gradients[name], direction[name]))
    size = sum(abs(g * v) for name in direction for g, v in zip(gradients[name], direction[name]))
    weights = {name: tensors[name].data for name in direction}
    found, spread = difference(loss, weights, direction, 1e-5)
    result.directions += 1
    if not math.isfinite(found) or not math.isfinite(spread) or spread > 1e-6 * (abs(found) + size) + 1e-8:
        result.kinks += 1
        return None, 0.0
    noise = 1e-9 * (1 + abs(found)) + spread * 0.1
    away = abs(found - exact)
    if away <= tolerance * size + noise:
        result.worst = max(result.worst, away / (size + 1e-30) if size else 0.0)
        result.beyond += tolerance < 1e-3 and away > EXPECTED * size
        return None, away
    return (f"the derivative is {shown(exact)}, differences give {shown(found)} (terms {shown(size)}, steps differ by {shown(spread)})", away)


def rounding_of(tools, folder, direction, precision):
    """How far rounding may move the derivative along a direction."""
    run_tape = [sys.executable, os.path.join(HERE, "tape_rules.py"), folder, tools.gnnc]
    found = json.loads(tools.call(run_tape))
    units = {"f64": 2.0**-53, "f32": 2.0**-24}
    return 4 * units[precision] * sum(bound * abs(v) for name in direction for (_, bound), v in zip(found[name], direction[name]) if v)


def gradients_of(tools, folder, level, precision):
    """Returns the loss and the gradients by the names of the file, and the trained tensors."""
    graph, weights = (os.path.join(folder, f"{n}.safetensors") for n in ("graph", "weights"))
    source = os.path.join(folder, f"random_{level}.c")
    tools.compile(os.path.join(folder, "model.gnn"), source, graph, weights, ["--train", f"-{level}", f"--float={precision}", "-Wno-all"])
    build(source, source + ".so", ["-O1"])
    program = Program(source + ".so", "random_train")
    tensors, metadata = read(graph)
    stored = read(weights)[0]
    session = program.bind(tensors, num_nodes(tensors, metadata), stored)
    inputs = session.inputs()
    parts = [parts_of(w.source.decode()) for w in program.weights]
    loss, found = session.gradients(inputs, [[x for name in names for x in stored[name].data] for names in parts])
    out = {}
    for i, tensors_of_weight in enumerate(parts):
        at = 0
        for name in tensors_of_weight if program.info.weight_infos[i].is_trained else ():
            count = len(stored[name].data)
            out[name] = [a + b for a, b in zip(found[i][at:at + count], out.get(name, [0.0] * count))]
            at += count
    return loss, out, stored


def parts_of(name):
    """The tensors of the file that make a weight: one, or "{a|b}", one per type."""
    return name[1:-1].split("|") if name.startswith("{") else [name]


def num_nodes(tensors, metadata):
    if "num_nodes" in metadata:
        return int(metadata["num_nodes"])
    for name in ("x", "node_type", "batch", "pos"):
        if name in tensors:
            return tensors[name].shape[0]
    if "x_indptr" in tensors:
        return tensors["x_indptr"].shape[0] - 1
    return int(max(tensors["edge_index"].data, default=-1)) + 1


def check(options, folder, result):
    tools = Tools(options.bin)
    loss = Loss(tools, folder)
    rng = random.Random(result.seed)
    for level in options.levels:
        precision = "f64" if level == "O0" else "f32"
        value, gradients, tensors = gradients_of(tools, folder, level, precision)
        expected = loss.at({})
        if math.isfinite(expected) and abs(value - expected) > (1e-6 if precision == "f64" else 1e-3) * (1 + abs(expected)):
            return f"-{level}: the loss is {shown(value)}, expected {shown(expected)}"
        for _ in range(DIRECTIONS if gradients else 0):
            direction = random_direction(rng, tensors, gradients)
            said, away = check_direction(loss, gradients, tensors, direction, TOLERANCE[precision], result)
            if said and away <= rounding_of(tools, folder, direction, precision):
                result.rounded += 1
            elif said:
                return f"-{level}: {said}"
    return None


def run_seed(options, seed, result, check):
    """The result of one seed; check(options, folder, result) fills it in and returns a message where something is wrong. exact.py shares it."""
    folder = tempfile.mkdtemp(prefix=f"gnnc-gradients-{seed}-")
    try:
        case = generate(seed, options.size, options.statements, options.without, options.only, has_loss=True)
        result.tags = case.tags
        case.text = re.sub(r"\bdropout\(", "(", case.text)  # the interpreter has none
        write_case(folder, case)
        result.message = check(options, folder, result)
    except Failed as error:
        text = str(error)
        if "[no-derivative]" in text:
            result.refused = text.split("error: ", 1)[1].splitlines()[0]
        else:
            result.message = text[-600:]
    except Exception as error:  # an error of any kind in one model must not stop the others
        result.message = f"{type(error).__name__}: {error}"
    finally:
        if result.message and options.keep:
            shutil.copytree(folder, os.path.join(options.keep, str(seed)), dirs_exist_ok=True)
        shutil.rmtree(folder)
    return result


def work(task):
    options, seed = task
    return run_seed(options, seed, Result(seed), check)


def report(options, result):
    print(f"FAILED seed {result.seed}: {result.message}\n  made of: {' '.join(result.tags)}\n"
          f"  repeat: python3 test/train/{os.path.basename(sys.argv[0])} --count 1 --seed {result.seed} --size {options.size} "
          f"--statements {options.statements} --without '{','.join(options.without)}' --levels {','.join(options.levels)}", flush=True)


def summarise(options, results, seconds):
    failed = [r for r in results if r.message is not None]
    refused = [r for r in results if r.refused]
    checked = [r for r in results if r.message is None and r.directions > r.kinks + r.rounded]
    directions, kinks, rounded = (sum(getattr(r, name) for r in results) for name in ("directions", "kinks", "rounded"))
    unchecked = len(results) - len(failed) - len(refused) - len(checked)
    beyond = [r.seed for r in results if r.beyond]
    print(f"{sum(r.beyond for r in results)} directions in double precision differ by more than {EXPECTED} of the terms"
          f"{': seeds ' + ' '.join(map(str, beyond[:20])) if beyond else ''}")
    print(f"{directions} directions, {kinks} of them left out at kinks ({100 * kinks / max(1, directions):.1f} %), {rounded} where rounding decides; largest difference "
          f"{max((r.worst for r in results), default=0):.2g} of the terms; {len(refused)} models refused, {unchecked} without a trained weight "
          f"or at kinks alone; {seconds:.0f} s")
    for reason in sorted({r.refused for r in refused}):
        print(f"  refused: {reason}")
    problems = len(failed)
    if len(results) >= 10 and kinks + rounded > MOST_KINKS * directions + 4:
        print(f"FAILED: more than {100 * MOST_KINKS:.0f} % of the directions are at kinks or rounded")
        problems += 1
    if len(results) >= 10 and len(refused) + unchecked > MOST_UNCHECKED * len(results):
        print(f"FAILED: more than {100 * MOST_UNCHECKED:.0f} % of the models were not checked")
        problems += 1
    print(f"{len(checked)} passed, {problems} failed, {len(refused) + unchecked} skipped")
    return bool(problems)


def main():
    parser = parser_of(__doc__, 100)
    parser.add_argument("--levels", type=names, default=["O0", "O2"])
    options = parser.parse_args()
    run(options, work, report, summarise)


if __name__ == "__main__":
    main()
