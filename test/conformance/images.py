"""Hostile images of a machine are refused with a message or run to an end; no program crashes, hangs or leaves a file behind.

An image is hostile when bytes were changed or its end was cut off. Its results may be any numbers.

    python3 images.py --machine graphagile [--bin build/bin] [--count 4] [--seed 1] [--images 60]

The fuzzers of test/fuzz do the same within one process and with coverage; this test runs the installed programs, in the same way for every machine. Half of the changes are in
the JSON of the manifest and the note, where a number becomes another one. The last line is "N passed, N refused, N failed".
"""
import os
import random
import re
import subprocess

import suite_path  # noqa: F401  (extends sys.path)
from elf import offsets_of
from programs import Failed
from small_cases import run_cases

NUMBERS = [b"0", b"-1", b"1", b"7", b"4095", b"4096", b"2147483647", b"4294967296", b"9223372036854775807", b"1e400", b"null", b"[]", b"\"x\""]
LIMIT_SECONDS = 60


def change_bytes(rng, data, at, length):
    for _ in range(rng.randrange(1, 4)):
        data[at + rng.randrange(length)] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])


def change_number(rng, data, at, length):
    """Replaces one number of the JSON by another, padded or cut to the same length, so that all offsets stay."""
    numbers = [m for m in re.finditer(rb"-?\d+(\.\d+)?", bytes(data[at:at + length]))]
    if numbers:
        chosen = rng.choice(numbers)
        size = chosen.end() - chosen.start()
        data[at + chosen.start():at + chosen.end()] = rng.choice(NUMBERS)[:size].ljust(size)


def mutate(rng, program):
    data = bytearray(program)
    sections = [(name, at, size) for name, at, size in offsets_of(program) if size]
    json = [s for s in sections if s[0] in (".gnnc.program", ".note.gnnc")]
    kind = rng.random()
    if kind < 0.5:
        _, at, size = rng.choice(json)
        change_number(rng, data, at, size)
    elif kind < 0.9:
        _, at, size = rng.choice(sections)
        change_bytes(rng, data, at, size)
    elif kind < 0.95:
        del data[rng.randrange(len(data)):]
    else:
        change_bytes(rng, data, 0, 64)
    return data


def check(tools, machine, case, scratch):
    """Returns the error, or None."""
    program, hostile, out = (os.path.join(scratch, n) for n in ("program.bin", "hostile.bin", "out.safetensors"))
    tools.compile_for(machine.options(case.device, scratch), case.model, program, case.graph, case.weights, case.options)
    with open(program, "rb") as f:
        original = f.read()
    tools.run_image(program, case.graph, out)  # hostile images are those of a program that runs
    os.remove(out)
    rng = random.Random(case.name)
    for i in range(case.arguments.images):
        with open(hostile, "wb") as f:
            f.write(mutate(rng, original))
        try:
            done = subprocess.run([tools.gnn_run, hostile, f"--graph={case.graph}", "-o", out, "--stats"], capture_output=True, timeout=LIMIT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"image {i} still runs after {LIMIT_SECONDS} s"
        if done.returncode not in (0, 1) or (done.returncode == 1 and b"error" not in done.stderr):
            return f"image {i}: exit {done.returncode}: {done.stderr[-300:]!r}"
        if done.returncode == 1 and os.path.exists(out):
            return f"image {i} was refused and left an output"
        if os.path.exists(out):
            os.remove(out)
    return None


if __name__ == "__main__":
    run_cases(__doc__, "images", check, Failed, count=4, add=lambda parser: parser.add_argument("--images", type=int, default=60, help="per program"))
