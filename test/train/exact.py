"""Gradients of generated C agree with the tape of the interpreter (tape.py), number by number, on random models and random graphs.

    python3 exact.py --count 100 --seed 1 [--bin build/bin] [--levels O0,O2,O3] [--without typed] [--keep FOLDER] [--jobs 2]

At -O0 the program computes in double precision, at the other levels in f32. A number of a gradient may differ from the tape's by SLACK times
its bound in units of the roundoff, 2^-53 or 2^-24, and by half a unit in the last place of f32, to which gradients are rounded. The
bound is that of the magnitudes of all terms; it is infinite, and the number is not compared, where f32 may take another branch or lies near a pole.

The last line is "N passed, N failed"; models that the compiler refuses to differentiate are counted apart.
"""
import dataclasses
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import gradients as differences  # noqa: E402  (after the change of sys.path)
import tape_rules  # noqa: E402
from programs import Tools  # noqa: E402
from random_campaign import names, parser_of, run  # noqa: E402
from random_models import half_place  # noqa: E402
from safetensors import read  # noqa: E402
from values import INFINITE  # noqa: E402

SLACK = 4.0
UNITS = {"f32": 2.0**-24, "f64": 2.0**-53}
TINY = 1e-30
MOST_UNCHECKED = 0.3


@dataclasses.dataclass
class Result:
    """The result of one seed. `compared` of `total` numbers had a bound; `worst`: by level the largest difference divided by the tolerance, and
    the largest one divided by the largest gradient of the tensor."""
    seed: int
    message: str | None = None
    refused: str | None = None
    compared: int = 0
    total: int = 0
    worst: dict = dataclasses.field(default_factory=dict)
    tags: list = dataclasses.field(default_factory=list)


def compare(level, precision, found, expected, result):
    """Compares the gradients of all tensors; returns what is wrong, or None."""
    for name, got in found.items():
        largest = max((abs(g) for g, bound in expected[name] if bound != INFINITE), default=0.0)
        for i, (g, (exact, bound)) in enumerate(zip(got, expected[name], strict=True)):
            result.total += 1
            if bound == INFINITE or not math.isfinite(exact):
                continue
            result.compared += 1
            away = max(abs(g - exact) - half_place(exact), 0.0) if g == g else INFINITE
            ratio = away / (SLACK * bound * UNITS[precision] + TINY)
            ratios = result.worst.setdefault(level, [0.0, 0.0])
            ratios[:] = max(ratios[0], ratio), max(ratios[1], away / largest if largest > 1e-20 else 0.0)
            if ratio > 1.0:
                return f"-{level}: the gradient of {name}[{i}] is {g!r}, expected {exact!r} ({ratio:.3g} times the tolerance)"
    return None


def check(options, folder, result):
    tools = Tools(options.bin)
    tree = tools.tree(os.path.join(folder, "model.gnn"))
    graph = read(os.path.join(folder, "graph.safetensors"))
    weights = read(os.path.join(folder, "weights.safetensors"))[0]
    expected = None
    for level in options.levels:
        precision = "f64" if level == "O0" else "f32"
        _, found, _ = differences.gradients_of(tools, folder, level, precision)
        if expected is None:  # after the compiler, which may refuse the model
            expected = tape_rules.differentiate(tree, graph, weights)[1]
        said = compare(level, precision, found, expected, result)
        if said:
            return said
    return None


def work(task):
    options, seed = task
    return differences.run_seed(options, seed, Result(seed), check)


def summarise(options, results, seconds):
    failed = [r for r in results if r.message is not None]
    refused = [r for r in results if r.refused]
    checked = [r for r in results if r.message is None and r.compared]
    unchecked = len(results) - len(failed) - len(refused) - len(checked)
    compared, total = sum(r.compared for r in results), sum(r.total for r in results)
    print(f"{total} numbers, {100 * compared / max(total, 1):.1f} % of them compared; {len(refused)} models refused, {unchecked} without a trained "
          f"weight or a number to compare; {seconds:.0f} s")
    for level in options.levels:
        ratios = [r.worst[level] for r in results if level in r.worst]
        print(f"  -{level}: at most {max((r[0] for r in ratios), default=0):.2g} of the tolerance, {max((r[1] for r in ratios), default=0):.2g} of the "
              f"largest gradient; half of the models at most {sorted(r[1] for r in ratios)[len(ratios) // 2] if ratios else 0:.2g} of it")
    for reason in sorted({r.refused for r in refused}):
        print(f"  refused: {reason}")
    problems = len(failed)
    if len(results) >= 10 and len(refused) + unchecked > MOST_UNCHECKED * len(results):
        print(f"FAILED: more than {100 * MOST_UNCHECKED:.0f} % of the models were not checked")
        problems += 1
    print(f"{len(checked)} passed, {problems} failed, {len(refused) + unchecked} skipped")
    return bool(problems)


def main():
    parser = parser_of(__doc__, 100)
    parser.add_argument("--levels", type=names, default=["O0", "O2", "O3"])
    options = parser.parse_args()
    run(options, work, differences.report, summarise)


if __name__ == "__main__":
    main()
