"""The simulator of a machine and a sequential interpreter in Python, which shares only tables with the project, give the same bits.

    python3 sequential.py --machine graphagile [--bin build/bin] [--count 20] [--seed 1]

The reference of a machine is test/oracle/<machine>_reference.py, with run_image(path, graph) and read_outputs(state); host steps are interpreted by
steps_reference.py. References fill memory with NaN, so that a program that reads unwritten memory gives other bits. The last line is "N passed, N refused, N failed".
"""
import importlib
import math
import os

import suite_path  # noqa: F401  (extends sys.path)
from programs import Failed
from safetensors import read
from small_cases import run_cases


def check(tools, machine, case, scratch):
    """Returns the error, or None."""
    reference = importlib.import_module(f"{machine.name}_reference")
    program = os.path.join(scratch, "program.bin")
    tools.compile_for(machine.options(case.device, scratch), case.model, program, case.graph, case.weights, case.options)
    simulated = tools.run_image(program, case.graph, os.path.join(scratch, "out.safetensors"))
    try:
        outputs = reference.read_outputs(reference.run_image(program, read(case.graph)[0]))
    except reference.Fault as e:
        return f"the reference refuses what the simulator ran: {e}"
    for name, data in outputs.items():
        for i, (a, b) in enumerate(zip(simulated[name].data, data, strict=True)):
            if a != b and not (math.isnan(a) and b != b):
                return f"'{name}', element {i}: the simulator has {a!r}, the reference {b!r}"
    return None


if __name__ == "__main__":
    run_cases(__doc__, "sequential", check, Failed)
