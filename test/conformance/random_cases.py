"""Random models on random graphs, compiled for the devices of a machine, agree with the interpreter.

    python3 random_cases.py --machine graphagile --count 100 --seed 1 [--bin build/bin] [--devices tiny,default] [--host some] [--without typed]
                               [--keep FOLDER] [--jobs 2] [--minimise]

Models, graphs, tolerance and options are those of random_models.py. The -O level, the form of the features and the switches of each run come from the seed
and the device. --host: the operations that the host executes: none, some (random families of operations, in half of the runs), most (families until
they are more than half of the operations) or all. A model that the target refuses ([unsupported]) is counted and its reason printed; at most --refused of
them may be. The last line is "N passed, N refused, N failed".
"""
import argparse
import collections
import dataclasses
import os
import random
import re
import subprocess

import suite_path  # noqa: F401  (extends sys.path)
import values
from generate import write_case
from machines import FAMILIES, MACHINES
from random_orders import PRODUCTIONS_FOR_C
from random_campaign import names, parser_of, print_rates, report_failure, run, run_seed, shrink_case
from programs import Failed, Tools
from random_models import Difference, compare, expected_outputs
from safetensors import read

class Refused(Exception):
    """The target refuses an operation of the model."""


@dataclasses.dataclass
class Result:
    """The result of one seed."""
    seed: int
    tags: list = dataclasses.field(default_factory=list)
    text: str = ""
    message: str | None = None
    refusals: list = dataclasses.field(default_factory=list)
    runs: int = 0
    compared: int = 0
    worst: float = 0.0


def random_of(folder, device):
    """The random choices of a run. They depend on the first line of the model, which contains its seed, and on the device."""
    with open(os.path.join(folder, "model.gnn"), encoding="utf-8") as f:
        return random.Random(f.readline() + device)


def more_options(machine, folder, device):
    rng = random_of(folder, device)
    tensors = read(os.path.join(folder, "graph.safetensors"), ["x", "x_indptr"])[0]
    forms = ["auto", "dense", "sparse"] if "x_indptr" in tensors else ["auto", "dense"]
    chosen = [f"-f{rng.choice(['', 'no-'])}{name}" for name in machine.switches if rng.random() < 0.5]
    chosen += [f"-fno-{name}" for name in machine.switches_of(device) if rng.random() < 0.5]
    options = [f"-O{rng.randrange(4)}", f"--features={rng.choice(forms)}", *chosen]
    if not machine.presets or rng.random() >= 0.15:
        return options
    return [o for o in options if o not in machine.refused_with_preset] + [f"--preset={rng.choice(machine.presets)}"]


def host_share(tools, base, families):
    """The number of operations of a program on the host, and of all operations."""
    done = subprocess.run([*base, "--emit=device", f"--host={','.join(families)}"], capture_output=True, text=True, check=True)
    ops = [line for line in done.stdout.split("\n") if re.search(r"device\.(gemm|spdmm|sddmm|vadd|scaled_add|map|values_vadd|concat|columns) ", line)]
    return sum('unit = "host"' in line for line in ops), len(ops)


def host_options(machine, tools, folder, device, how, base):
    """The option --host=..., or none."""
    rng = random_of(folder, device + " host")
    families = rng.sample(FAMILIES, len(FAMILIES))
    if not machine.has_steps or how == "none" or (how == "some" and rng.random() < 0.5):
        return []
    if how == "some":
        return [f"--host={','.join(families[:rng.randrange(1, len(families))])}"]
    for count in range(1, len(families) + 1):
        if how == "most" and 2 * (share := host_share(tools, base, families[:count]))[0] > share[1]:
            return [f"--host={','.join(families[:count])}"]
    return ["--host=all"]


def check_device(machine, tools, folder, device, host, expected):
    """Compiles and runs once. Returns how many numbers were compared, and the largest difference."""
    model, graph, weights, out = (os.path.join(folder, n) for n in ("model.gnn", "graph.safetensors", "weights.safetensors", "out.safetensors"))
    program, target = os.path.join(folder, "random.bin" if machine.is_image else "random.c"), machine.options(device, folder)
    how = more_options(machine, folder, device)
    try:
        base = [tools.gnnc, *target, model, f"--graph={graph}", f"--weights={weights}", *how]
        how += host_options(machine, tools, folder, device, host, base)
        tools.compile_for(target, model, program, graph, weights, how)
    except Failed as error:
        refusal = re.search(r"error: (.*\[unsupported\])", str(error))
        if refusal and "exit 1:" in str(error):
            raise Refused(refusal[1]) from None
        raise
    got = tools.run_image(program, graph, out) if machine.is_image else tools.run(program, graph, weights, out)
    if sorted(got) != sorted(expected):
        raise Difference(f"outputs {sorted(got)}, expected {sorted(expected)}")
    results = [compare(n, v, got[n], machine.unit) for n, v in expected.items()]
    return sum(r[0] for r in results), max(r[1] for r in results)


def check_case(options, case, folder, result):
    """Runs one case on every device and fills in the result; its message is None when all runs agree."""
    machine, result.message = MACHINES[options.machine], None
    tools = Tools(options.bin, machine.programs)
    try:
        write_case(folder, case)
        values.set_unit(machine.unit)
        expected = expected_outputs(tools, folder)
        for device in options.devices:
            try:
                compared, worst = check_device(machine, tools, folder, device, options.host, expected)
            except Refused as refusal:
                result.refusals.append(str(refusal))
                continue
            except (Failed, Difference) as error:
                result.message = f"{device}: {error} ({' '.join(more_options(machine, folder, device))})"
                return result
            result.runs += 1
            result.compared += compared
            result.worst = max(worst, result.worst)
    except Exception as error:  # an error of any kind in one model must not stop the others
        result.message = f"{type(error).__name__}: {error}"
    return result


def kind_of(message):
    """The part of a message that a smaller model must repeat: the device, and the first error without numbers and names."""
    device = message.split(":")[0]
    errors = re.search(r"(error: .*|warning: .*)", message)
    said = errors[1] if errors else message.rsplit(" (", 1)[0][-60:]
    return device + ("" if " tolerance" in message else re.sub(r"'[^']*'|\W?\w*\d+\w*", "", said))


def shrink(options, case, message, folder):
    """The case with a smaller text that fails the same way on the device that failed."""
    device = message.split(":")[0]
    if device not in MACHINES[options.machine].devices:
        return None
    narrow = argparse.Namespace(**{**vars(options), "devices": [device]})
    return shrink_case(case, message, lambda c: check_case(narrow, c, folder, Result(0)).message, kind_of)


def work(task):
    """The Result of one seed, with a smaller text if --minimise asks for one."""
    options, seed = task
    result = Result(seed)
    return run_seed(options, seed, result, lambda case, folder: check_case(options, case, folder, result),
                    lambda case, folder: shrink(options, case, result.message, folder))


def report(options, result):
    report_failure(options, result, "../conformance/random_cases.py", f"--machine {options.machine} --devices {','.join(options.devices)} --host {options.host}")


def summarise(options, results, seconds):
    """Prints a summary. Returns whether the run failed."""
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
    parser.add_argument("--machine", choices=list(MACHINES), default="graphagile")
    parser.add_argument("--devices", type=names, help="of the machine; default: its small ones")
    parser.add_argument("--host", choices=["none", "some", "most", "all"], default="some")
    parser.add_argument("--refused", type=int, default=0, help="how many models the target may refuse")
    options = parser.parse_args()
    if MACHINES[options.machine].is_image:
        options.without = [*options.without, *PRODUCTIONS_FOR_C]
    options.devices = options.devices or list(MACHINES[options.machine].small)
    return options


if __name__ == "__main__":
    run(parse_options(), work, report, summarise)
