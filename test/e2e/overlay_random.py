"""Random models on random graphs through the overlay: compiled for a small and for the default device, simulated, and compared with the interpreter.

    python3 overlay_random.py --count 100 --seed 1 [--bin build/bin] [--devices tiny,default] [--without typed] [--keep FOLDER]
                              [--jobs 2] [--minimise]

Models, graphs, tolerance and options are those of random_models.py, but without functions that the machine does not have
unless --without says otherwise. The -O level, the form of the features and the switches of each run come from the seed
and the device. A model that the target refuses ([unsupported]) is counted and its reason printed; at most --refused of them may be.
The last line is "N passed, N refused, N failed".
"""
import argparse
import collections
import dataclasses
import os
import random
import re

from programs import Failed, Tools

from generate import write_case
from overlay_devices import DEVICES, device_options
from random_campaign import names, parser_of, print_rates, report_failure, run, run_seed, shrink_case
from random_models import Difference, compare, expected_outputs
from safetensors import read

SWITCHES = ["order", "fuse-linear", "aggregate-first", "compact", "split-attention", "fuse-activation", "overlap", "skip-empty", "balance", "fuse-attention"]
EXTENSIONS = {"has_broadcast": "broadcast", "has_packed_edges": "packed-edges"}


class Refused(Exception):
    """The target cannot do what the model asks for."""


@dataclasses.dataclass
class Result:
    """What became of one seed."""
    seed: int
    tags: list = dataclasses.field(default_factory=list)
    text: str = ""
    message: str | None = None
    refusals: list = dataclasses.field(default_factory=list)
    runs: int = 0
    compared: int = 0
    worst: float = 0.0


def more_options(folder, device):
    """The choices depend on the first line of the model, which says its seed, and on the device."""
    with open(os.path.join(folder, "model.gnn"), encoding="utf-8") as f:
        rng = random.Random(f.readline() + device)
    tensors = read(os.path.join(folder, "graph.safetensors"), ["x", "x_indptr"])[0]
    forms = ["auto", "dense", "sparse"] if "x_indptr" in tensors else ["auto", "dense"]
    chosen = [f"-f{rng.choice(['', 'no-'])}{name}" for name in SWITCHES if rng.random() < 0.5]
    chosen += [f"-fno-{name}" for key, name in EXTENSIONS.items() if DEVICES[device].get(key) and rng.random() < 0.5]
    options = [f"-O{rng.randrange(4)}", f"--features={rng.choice(forms)}", *chosen]
    return [*options, "--preset=paper"] if rng.random() < 0.15 else options


def check_device(tools, folder, device, expected):
    """One compilation and run. Returns how many numbers were compared and the worst."""
    graph, weights = (os.path.join(folder, f"{n}.safetensors") for n in ("graph", "weights"))
    program, how = os.path.join(folder, "random.bin"), more_options(folder, device)
    try:
        tools.compile_overlay(os.path.join(folder, "model.gnn"), program, graph, weights, [*device_options(device, folder), *how])
    except Failed as error:
        refusal = re.search(r"error: (.*\[unsupported\])", str(error))
        if refusal and "exit 1:" in str(error):
            raise Refused(refusal[1]) from None
        raise
    got = tools.run_overlay(program, graph, os.path.join(folder, "out.safetensors"))
    if sorted(got) != sorted(expected):
        raise Difference(f"outputs {sorted(got)}, expected {sorted(expected)}")
    results = [compare(n, v, got[n], "f32") for n, v in expected.items()]
    return sum(r[0] for r in results), max(r[1] for r in results)


def check_case(options, case, folder, result):
    """Runs one case on every device, into the result; its message is None when all is well."""
    tools, result.message = Tools(options.bin), None
    try:
        write_case(folder, case)
        expected = expected_outputs(tools, folder)
        for device in options.devices:
            try:
                compared, worst = check_device(tools, folder, device, expected)
            except Refused as refusal:
                result.refusals.append(str(refusal))
                continue
            except (Failed, Difference) as error:
                result.message = f"{device}: {error} ({' '.join(more_options(folder, device))})"
                return result
            result.runs += 1
            result.compared += compared
            result.worst = max(worst, result.worst)
    except Exception as error:  # whatever goes wrong with one model, the others go on
        result.message = f"{type(error).__name__}: {error}"
    return result


def kind_of(message):
    """What stays the same while a failing model shrinks: the device, and the first error without numbers and names."""
    device = message.split(":")[0]
    errors = re.search(r"(error: .*|warning: .*)", message)
    said = errors[1] if errors else message.rsplit(" (", 1)[0][-60:]
    return device + ("" if " tolerance" in message else re.sub(r"'[^']*'|\W?\w*\d+\w*", "", said))


def shrink(options, case, message, folder):
    """The case with a smaller text that fails the same way on the device that failed."""
    device = message.split(":")[0]
    if device not in DEVICES:
        return None
    narrow = argparse.Namespace(**{**vars(options), "devices": [device]})
    return shrink_case(case, message, lambda c: check_case(narrow, c, folder, Result(0)).message, kind_of)


def work(task):
    """One seed's Result, its text shrunk when that is wanted."""
    options, seed = task
    result = Result(seed)
    return run_seed(options, seed, result, lambda case, folder: check_case(options, case, folder, result),
                    lambda case, folder: shrink(options, case, result.message, folder))


def report(options, result):
    report_failure(options, result, "overlay_random.py", f"--devices {','.join(options.devices)}")


def summarise(options, results, seconds):
    """Prints what the run says as a whole. Returns whether it is a failure."""
    failures = print_rates(results)
    refusals = collections.Counter(reason for r in results for reason in r.refusals)
    refused = sum(bool(r.refusals) for r in results)
    for reason, count in refusals.most_common(12):
        print(f"refused {count} times: {reason}")
    worst = max((r.worst for r in results), default=0.0)
    print(f"{sum(r.runs for r in results)} runs, {sum(r.compared for r in results)} numbers compared; largest difference: "
          f"{worst:.2g} of what is allowed; {seconds:.0f} s")
    print(f"{len(results) - len(failures) - refused} passed, {refused} refused, {len(failures)} failed")
    return bool(failures) or refused > options.refused


def parse_options():
    parser = parser_of(__doc__, 100)
    parser.set_defaults(without=["functions"])
    parser.add_argument("--devices", type=names, default=["tiny", "narrow", "extended", "default"])
    parser.add_argument("--refused", type=int, default=0, help="how many models the target may refuse")
    return parser.parse_args()


if __name__ == "__main__":
    run(parse_options(), work, report, summarise)
