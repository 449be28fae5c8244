"""Random programs of AGILE: the simulator and a sequential interpreter in Python compute the same bits, and refuse the same programs.

    python3 agile_programs.py --bin build/bin --programs build/test/e2e/agile_programs [--count 40] [--seed 1]

A program has one to three layers of random lists, sizes and precisions, on random devices. The first layer reads messages in .weights, later ones also
results of the layers before, some of which were never written. One in six breaks a rule: a node has two descriptors, an offset is odd, or a precision
was not fetched. The programs do not come from the compiler: they are text for gnn-as.
"""
import argparse
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from agile_reference import Fault, count_records, load, row_bytes, run_records

PRECISIONS = ["float_32", "fixed_8", "fixed_16", "fixed_4"]
DEVICES = ["", "allocation=sequential, rows=3, meshes=1, columns=2, nodeslots=5, read_masters=2, masters=separate, buffer_slots=3, fte_rows=2",
           "has_vector_bias=true, admission=groups, nodeslots=4, message_queue_beats=4, address_queue=16, has_packed_messages=true"]
NUMBERS = ["0", "-0.0", "1", "-1.5", "3e38", "1e-45", "inf", "-inf", "nan"]


def number(rng):
    return rng.choice(NUMBERS) if rng.random() < 0.02 else repr(struct.unpack("<f", struct.pack("<f", rng.gauss(0, 1)))[0])


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


class Program:
    """The sections as they grow, as text."""

    def __init__(self, rng, device):
        self.rng, self.device = rng, device
        self.descs, self.edges, self.weights, self.features, self.text = [], [], [], [], []
        self.results = []  # (label, rows, features) of layers before

    def rows(self, count, width):
        label = f"w{len(self.weights)}"
        self.weights.append(f"{label}:")
        for _ in range(count):
            self.weights += [".f32 " + ", ".join(number(self.rng) for _ in range(width)), ".align 64"]
        return label

    def lists(self, layer, nodes, rows, stride, used, kind):
        """The descriptors, with their lists; `kind` of a break: 0 to 2, or None. Returns whether it was broken."""
        rng, place, offsets, scales, is_broken = self.rng, 0, [], [], False
        order = list(range(nodes))
        rng.shuffle(order)
        self.descs.append(f"d{layer}:")
        for i, node in enumerate(order):
            count = rng.choice([0, 1, 2, 3, rng.randrange(1, 40)])
            precision = rng.choice(used)
            if kind == 0 and i and count and not is_broken and last:
                node, is_broken = last, True
            if kind == 2 and count and len(used) < 4:
                precision, is_broken = next(p for p in PRECISIONS if p not in used), True
            last = node if count else None
            self.descs.append(f".slot {node}, {count}, {precision}, {place}{', invalid' if kind is None and rng.random() < 0.05 else ''}")
            neighbours = [stride * rng.randrange(rows) for _ in range(count)]
            if kind == 1 and count and not is_broken:
                neighbours[-1], is_broken = 4, True
            if count:
                offsets += [".u32 " + ", ".join(map(str, neighbours)), ".align 64"]
                scales += [".f32 " + ", ".join(number(rng) for _ in range(count)), ".align 64"]
            place += -(-count // 16)
        self.descs.append(f".empty {8 - nodes % 8}")
        self.edges += [f"a{layer}:", *(offsets or [".zero 64"]), f"s{layer}:", *(scales or [".zero 64"])]
        return is_broken

    def layer(self, layer, is_bad):
        """Adds a layer. Returns whether it breaks a rule."""
        rng = self.rng
        if self.results and rng.random() < 0.7:
            messages, rows, f = rng.choice(self.results)
        else:
            rows, f = rng.randrange(1, 30), rng.randrange(1, 65)
            messages = self.rows(rows, f)
        nodes, o = rng.randrange(1, 30), rng.randrange(1, 65)
        used = rng.sample(PRECISIONS, rng.randrange(1, 5))
        is_bad = self.lists(layer, nodes, rows, row_bytes(f), used, rng.randrange(3) if is_bad else None)
        self.features.append(f"y{layer}: .zero {nodes * row_bytes(o)}")
        registers = {"node_count": nodes, "nodeslots": f"d{layer}", "in_features": f, "out_features": o, "adjacency_list": f"a{layer}",
                     "scale_factors": f"s{layer}", "in_messages": messages, "weights": self.rows(o, f), "out_features_address": f"y{layer}",
                     "activation": rng.randrange(3), "alpha": bits(rng.choice([0.0, 0.25, -1.5])), "aggregation": rng.randrange(3),
                     "precisions": sum(1 << PRECISIONS.index(p) for p in used)}
        if "has_vector_bias" in self.device and rng.random() < 0.5:
            registers["bias_address"] = self.rows(1, o)
        else:
            registers["bias"] = bits(rng.choice([0.0, 0.5, -0.0]))
        for precision in PRECISIONS[1:]:
            registers[f"x_scale_{precision}"], registers[f"w_scale_{precision}"] = bits(rng.uniform(0.001, 0.5)), bits(rng.uniform(0.001, 0.5))
        registers["s_scale"] = bits(rng.uniform(1e-5, 1e-3))
        names = list(registers)
        rng.shuffle(names)
        self.text += [f"layer layer={layer}"] + [f"write reg={name}, value={registers[name]}" for name in names] + ["write reg=layer_config_valid, value=1"]
        for command in ("fetch_layer_weights", "start_nodeslot_fetch"):
            self.text += [f"write reg={command}, value=1", f"poll reg={command}_done, value=1", f"write reg={command}_done_ack, value=1"]
        self.text.append("poll reg=nodeslots_empty, value=1")
        self.results.append((f"y{layer}", nodes, o))
        return is_bad

    def lines(self):
        device = [f".device {self.device}"] if self.device else []
        return [".machine agile", *device, ".section desc", *self.descs, ".section edges", *self.edges, ".section weights", *self.weights,
                ".section features", *self.features, *self.text, "halt", ""]


def make_program(seed, path):
    """Writes a program. Returns whether it breaks a rule."""
    rng = random.Random(seed)
    program, layers = Program(rng, DEVICES[seed % len(DEVICES)]), rng.randrange(1, 4)
    if "columns=2" in program.device:  # 6 cores: 96 features
        program.device = program.device.replace("columns=2", "columns=2, fte_columns=64")
    is_bad = False
    for i in range(layers):
        is_bad |= program.layer(i, seed % 6 == 0 and i == layers - 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(program.lines()))
    return is_bad


def same(a, b):
    return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)


def check(arguments, seed, scratch):
    """Returns the error, or None."""
    text, program, out = (os.path.join(scratch, name) for name in ("program.s", "program.bin", "features"))
    is_bad = make_program(seed, text)
    subprocess.run([os.path.join(arguments.bin, "gnn-as"), "--no-check", text, "-o", program], check=True)
    done = subprocess.run([arguments.programs, program, out], capture_output=True, text=True, check=False)
    try:
        image = load(program)
        run_records(image, 0, count_records(image))
    except Fault as e:
        return None if done.returncode == 1 and is_bad else f"the reference refuses a program ({e}), the simulator: exit {done.returncode}"
    if done.returncode or is_bad:
        return f"the simulator: exit {done.returncode}: {done.stderr.strip()}; the reference runs the program"
    with open(out, "rb") as f:
        data = f.read()
    simulated, numbers = (struct.unpack(f"<{len(data) // 4}f", x) for x in (data, image.sections[".features"].data))
    for i, (a, b) in enumerate(zip(simulated, numbers, strict=True)):
        if not same(a, b):
            return f"number {i} of .features: the simulator has {a!r}, the reference {b!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments, failed = parser.parse_args(), 0
    with tempfile.TemporaryDirectory(prefix="gnnc-agile-") as scratch:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            wrong = check(arguments, seed, scratch)
            if wrong:
                failed += 1
                print(f"FAILED seed {seed}: {wrong}")
    print(f"{arguments.count - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
