#!/usr/bin/env python3
"""Sextans: the paper's tables beside ours, 27 matrices by the published rule and by ours, what bounds them, and models: python3 bench/sextans.py [--write]

The matrices are those of --shared, and crystm03 as its sizes determine it. Cycles are those of the simulator (gnn-spmm, gnn-run) at level 1; what the script computes itself is called a
model, and its formula gives the simulator's cycles in the base case. --gates: exit status 1 when one fails; --write: the measured part of docs/devices/sextans.md and
sextans_schedule.svg beside it; --quick: two generated matrices, to try the script.
"""
import argparse
import datetime
import json
import math
import os
import platform
import subprocess
import sys

import sextans_forms as forms
import sextans_hosts as hosts
import sextans_model as model
import sextans_picture as picture
from sextans_inputs import FIGURE_5, Matrices

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE, PICTURE = f"{ROOT}/docs/devices/sextans.md", f"{ROOT}/docs/devices/sextans_schedule.svg"
BEGIN, END = "<!-- made by bench/sextans.py --write -->", "<!-- end of what bench/sextans.py makes -->"
SIZES = (8, 64, 512)
PEAK = 2 * 64 * 8 * 0.189  # GFLOP/s
FIGURE_5_SLOTS = [(0, 0), (2, 0), (3, 0), (1, 1), (0, 2), (2, 1), (3, 2), None, (0, 3), (2, 2), (3, 3)]
TABLE_3 = [("Tesla K80", "562 MHz", 480, 130, 127.8), ("Sextans", "189 MHz", 460, 52, 181.1), ("Tesla V100", "1297 MHz", 900, 287, 688.0),
           ("Sextans-P", "350 MHz", 900, 96, 343.6)]
TABLE_5 = [("T2S-Tensor", "dense", "2e3", "", "738"), ("AutoSA", "dense", "4e6", "7e9", "950"), ("Tensaurus", "SpMV, SpMM", "4.2e6", "", "512 (dense)"),
           ("Fowers et al.", "SpMV", "5e5", "< 1e7", "3.9"), ("Spaghetti", "SpGEMM", "1.6e7", "", "27"), ("ExTensor", "SpMM, SpGEMM", "6e6", "", "64"),
           ("SpArch", "SpGEMM", "1.65e7", "", "10.4"), ("OuterSPACE", "SpGEMM", "1.65e7", "", "2.9"), ("SpaceA", "SpMV", "1.4e7", "1.43e7", ""),
           ("Sextans", "SpMM", "3.7e7", "3e10", "181.1"), ("Sextans-P", "SpMM", "3.7e7", "3e10", "343.6")]


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


class Bench:
    """Runs of gnn-spmm, each once; the text and the gates of the page."""

    def __init__(self, options):
        self.options, self.known, self.lines, self.failed = options, {}, [], []
        self.matrices = Matrices(options.shared, options.out)
        self.names = ["grid", "hubs"] if options.quick else self.matrices.names()

    # ---- text ----

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def table(self, head, rows):
        for row in (head, ["---"] * len(head), *rows):
            self.say("| " + " | ".join(map(str, row)) + " |")
        self.say()

    def gate(self, name, is_good, said):
        self.say(f"* {'ok' if is_good else 'FAILED'}: {name}: {said}")
        if not is_good:
            self.failed.append(name)

    # ---- programs ----

    def tool(self, name):
        return f"{self.options.bin}/{name}"

    def call(self, command):
        """Standard output of a program; a failure ends the script."""
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"bench: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr}")
        return done.stdout

    def spmm(self, path, n, *options):
        """The JSON of gnn-spmm for a file."""
        key = (path, n, *options)
        if key not in self.known:
            how = [] if "--check" in options else ["--timing-only"]
            self.known[key] = json.loads(self.call([self.tool("gnn-spmm"), path, str(n), "--no-cpu", "--stats=json", *how, *options]))
        return self.known[key]

    def run(self, name, n, *options):
        return self.spmm(self.matrices.path(name), n, *options)

    def sections(self, name, n, *options):
        """(JSON, sections) of the program of one launch."""
        program = f"{self.options.out}/sextans.bin"
        made = json.loads(self.call([self.tool("gnn-spmm"), self.matrices.path(name), str(n), "--no-cpu", "--stats=json", "--timing-only", "-o", program, *options]))
        return made, model.read_sections(program)

    def lists(self, name, n, *options):
        """(m, k, slots of each window) of the only launch."""
        key = ("lists", name, n, *options)
        if key not in self.known:
            made, sections = self.sections(name, n, *options)
            launch, = made["launches"]
            self.known[key] = launch["rows"], launch["columns"], model.read_q(sections, launch["windows"])
        return self.known[key]


# ---- the paper's tables ----

def print_paper(b):
    b.say("### The paper's tables beside ours")
    b.say()
    nnz, rows = 583770, 24696
    base = b.run("crystm03", 8, "--schedule=published")
    ours = b.run("crystm03", 8)
    stream = -(-rows // 8)
    ooo, pus = 10 * nnz / nnz, (8 * nnz + stream) / (nnz + stream)
    pes = [(nnz + stream) / (r["slots"] + stream) for r in (base, ours)]
    b.say("**Table 1** (speed-up of each step on crystm03). The matrix is a reconstruction: a 27-point mass matrix of a grid of 8 x 21 x 49 nodes with three uncoupled unknowns each has "
          "crystm03's numbers of rows (24,696) and of non-zeros (583,770); the numbering of its nodes is assumed. The steps are a model: one PE takes a slot per non-zero, ten where it is "
          "static (II = D = 10), eight times as many with one unit, and B is streamed once. The slots of 64 PEs are the simulator's.")
    b.say()
    b.table(["", "paper", "model, published rule", "model, ours"],
            [["out-of-order schedule", 9.97, f"{ooo:.2f}", f"{ooo:.2f}"], ["8 units per PE", 7.97, f"{pus:.2f}", f"{pus:.2f}"],
             ["64 PEs", 45.3, f"{pes[0]:.1f}", f"{pes[1]:.1f}"], ["all", 3608, *(f"{ooo * pus * p:.0f}" for p in pes)],
             ["cycles at N = 8, simulated", "", base["cycles"], ours["cycles"]], ["slots, simulated", "", base["slots"], ours["slots"]],
             ["GFLOP/s at N = 8, simulated", "", f"{base['gflops']:.1f}", f"{ours['gflops']:.1f}"]])
    print_table_3(b)
    b.say("**Table 5** (related accelerators; the paper's numbers) and our largest matrix.")
    b.say()
    rows_5 = [[*row, "paper"] for row in TABLE_5]
    if b.matrices.has_shared() and not b.options.quick:
        big = b.spmm(f"{b.matrices.shared}/ego_twitter.safetensors", 512)
        size = 1024 * (big["matrix"]["nnz"] + big["matrix"]["rows"])
        rows_5.append(["u280, simulated, ours, A of ego-Twitter, N = 512", "SpMM", f"{big['matrix']['nnz']:.2g}", f"{size:.2g}", f"{big['gflops']:.1f}", "ours"])
    b.table(["", "kernels", "non-zeros", "problem size", "GFLOP/s", "source"], rows_5)


def print_table_3(b):
    device = f"--device={ROOT}/data/devices/"
    b.say(f"**Table 3** (peak throughput). Paper: over its 1,400 products. Ours: the largest of {len(b.names)} matrices and N = {', '.join(map(str, SIZES))}, simulated, the device "
          "files data/devices/u280.json and sextans-p.json. The geometric mean of FLOP per joule is throughput over the paper's power; we have no measurement of power.")
    b.say()
    rows = [[*row[:1], row[1], row[2], f"{row[4]}", {"Tesla K80": "1.06e8", "Sextans": "6.63e8", "Tesla V100": "2.07e8", "Sextans-P": "7.10e8"}[row[0]], "paper"] for row in TABLE_3]
    for file, clock, bandwidth, power in (("u280", "189 MHz", 460, 52), ("sextans-p", "350 MHz", 900, 96)):
        for rule in ("published", "best"):
            found = {(n, size): b.run(n, size, f"{device}{file}.json", f"--schedule={rule}")["gflops"] for n in b.names for size in SIZES}
            (name, size), most = max(found.items(), key=lambda f: f[1])
            rows.append([f"{file}, {rule} rule", clock, bandwidth, f"{most:.1f} ({name}, N = {size})", f"{1e9 * geometric_mean(found.values()) / power:.3g}", "simulated"])
    b.table(["", "clock", "GB/s", "peak, GFLOP/s", "FLOP/J", "source"], rows)


# ---- published rule and ours ----

def print_rules(b):
    b.say(f"### The published rule and ours, {len(b.names)} matrices")
    b.say()
    b.say("S is D^-1/2 (A + I) D^-1/2, A has one entry per pair of nodes. GFLOP/s are 2 N (nnz + M) / time at 189 MHz, as the paper and its host program count; each cell has the published "
          "rule's, then ours. Slots / ideal: ideal is the sum over windows of ceil(non-zeros / 64).")
    b.say()
    rows = []
    for name in b.names:
        cells = []
        for n in SIZES:
            p, o = (b.run(name, n, f"--schedule={r}") for r in ("published", "best"))
            cells.append(f"{p['gflops']:.1f} / **{o['gflops']:.1f}**")
        p, o = (b.run(name, 512, f"--schedule={r}") for r in ("published", "best"))
        cycles = [f"{r['cycles']:,}" for r in (p, o)]
        rows.append([name, f"{o['matrix']['rows']:,} x {o['matrix']['columns']:,}", f"{o['matrix']['nnz']:,}", *cells, " / ".join(cycles), f"{p['cycles'] / o['cycles']:.2f}",
                     " / ".join(f"{r['slots'] / r['ideal']:.3f}" for r in (p, o)), f"{o['virtual_rows']} ({o['tau'] or '-'})",
                     " / ".join(f"{100 * r['bandwidth']:.2f}" for r in (p, o))])
    b.table(["", "size", "non-zeros", *(f"GFLOP/s, N = {n}" for n in SIZES), "cycles, N = 512", "ratio", "slots / ideal, N = 512", "rows added (tau)", "bandwidth %, N = 512"], rows)
    b.say("Ideal counts non-zeros by the windows of each rule; ours has fewer windows where columns have no non-zeros.")
    b.say()

    def mean(n, rule, key):
        return geometric_mean(b.run(name, n, f"--schedule={rule}")[key] for name in b.names)

    def tight(n, rule):
        return geometric_mean(r["slots"] / r["ideal"] for r in (b.run(name, n, f"--schedule={rule}") for name in b.names))
    rows = []
    for n in SIZES:
        for rule in ("published", "best"):
            each = [b.run(name, n, f"--schedule={rule}") for name in b.names]
            rows.append([n, {"published": "published", "best": "ours"}[rule], f"{mean(n, rule, 'gflops'):.1f}", f"{max(r['gflops'] for r in each):.1f}",
                         f"{min(r['gflops'] for r in each):.1f}", f"{mean(n, 'published', 'cycles') / mean(n, rule, 'cycles'):.2f}", f"{tight(n, rule):.3f}",
                         f"{max(r['slots'] / r['ideal'] for r in each):.3f}", f"{100 * mean(n, rule, 'bandwidth'):.2f} %", f"{100 * max(r['bandwidth'] for r in each):.2f} %"])
    b.table(["N", "rule", "GFLOP/s, geometric mean", "largest", "least", "times as fast", "slots / ideal, geometric mean", "largest", "bandwidth, geometric mean", "largest"], rows)
    b.say(f"The paper's bandwidth utilisation on its own 200 matrices: geometric mean 3.85 %, largest 14.92 %. The peak of the arithmetic is {PEAK:.1f} GFLOP/s.")
    b.say()
    best = {name: b.run(name, 512) for name in b.names}
    low = sorted(b.names, key=lambda name: best[name]["gflops"])[:3]
    slow = sorted(b.names, key=lambda name: b.run(name, 512, "--schedule=published")["cycles"] / best[name]["cycles"])[:3]
    b.say("Least flattering at N = 512: " + ", ".join(f"{name} {best[name]['gflops']:.1f} GFLOP/s ({100 * best[name]['gflops'] / PEAK:.0f} % of the peak)" for name in low) +
          "; least gained over the published rule: " + ", ".join(f"{name} {b.run(name, 512, '--schedule=published')['cycles'] / best[name]['cycles']:.2f}" for name in slow) + ".")
    b.say()


def processor():
    """The name of the host's processor."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def print_gates(b):
    b.say("### Gates")
    b.say()
    orders = [model.schedule_in_order(items, 4) for items in (sorted(FIGURE_5, key=lambda i: (i[1], i[0])), FIGURE_5)]
    lists = {}
    for name, options in (("published", ["--schedule=published"]), ("ours", ["--without=cut,assign"])):
        made, sections = b.sections("figure 5", 8, "--device-set=distance=4", *options)
        lists[name] = model.read_list(sections, made["slots"])
    b.say("The paper's Fig. 5, distance 4 (row, column; `-` a bubble). Its four rows are rows 0, 64, 128 and 192, so that PE 0 has them all, and the list is that of PE 0 in the program of "
          "gnn-spmm; ours with `--without=cut,assign`:")
    b.say()
    b.say("```text")
    b.say("slot       " + " ".join(f"{i:>3}" for i in range(11)))
    for name, made in lists.items():
        b.say(f"{name:<10} " + " ".join(" - " if s is None else f"{s[0]},{s[1]}" for s in made))
    b.say("```")
    b.say()
    b.gate("Fig. 5", lists["published"] == FIGURE_5_SLOTS and orders == [15, 28], f"the slots of the paper; in order, which is a model, {orders[0]} by columns and {orders[1]} by rows (paper: 15, 28)")
    base = b.run("crystm03", 8, "--schedule=published")
    b.gate("crystm03, published rule, N = 8, 13,846 cycles", base["cycles"] == 13846, f"{base['cycles']:,}")
    dense = b.spmm(b.matrices.dense(19717, 256), 256)
    share = 19717 * 256 * 256 / (512 * dense["cycles"])
    b.gate("dense rows 19717 x 256 as A, N = 256, at least 97 % of 512 multiply-adds per cycle", share >= 0.97, f"{100 * share:.2f} % ({dense['cycles']:,} cycles)")
    if b.options.quick or not b.names:
        return
    nasa = b.run("nasa4704", 8, "--schedule=published")
    b.gate("nasa4704, published rule, N = 8, 3,022 cycles", nasa["cycles"] == 3022, f"{nasa['cycles']:,}")
    tight = {name: (r := b.run(name, 512))["slots"] / r["ideal"] for name in b.names}
    worst = max((name for name in tight if name != "zenios"), key=tight.get)
    b.gate("slots / ideal at most 1.11 each, N = 512, all but zenios", tight[worst] <= 1.11, f"largest {tight[worst]:.3f} ({worst})")
    b.gate("a known exception: zenios at most 1.25", tight["zenios"] <= 1.25, f"{tight['zenios']:.3f}")
    print_zenios(b, tight["zenios"])
    b.gate("slots / ideal at most 1.02 in the geometric mean, N = 512", geometric_mean(tight.values()) <= 1.02,
           f"{geometric_mean(tight.values()):.4f}; without zenios {geometric_mean(x for n, x in tight.items() if n != 'zenios'):.4f}")
    ratio = {name: b.run(name, 512, "--schedule=published")["cycles"] / b.run(name, 512)["cycles"] for name in b.names}
    b.gate("GFLOP/s at N = 512 at least 2.0 times the published rule's", geometric_mean(ratio.values()) >= 2, f"{geometric_mean(ratio.values()):.3f}")
    least = {(name, n): b.run(name, n, "--schedule=published")["cycles"] / b.run(name, n)["cycles"] for name in b.names for n in SIZES}
    (name, n), worst = min(least.items(), key=lambda i: i[1])
    b.gate("no matrix slower, at any N", worst >= 1, f"least {worst:.3f} ({name}, N = {n})")
    two = geometric_mean(b.run(name, 512)["cycles"] / b.run(name, 512, "--device-set=has_two_b=true")["cycles"] for name in b.names)
    b.gate("has_two_b at least 1.15 times as fast at N = 512", two >= 1.15, f"{two:.3f}")
    checked = {name: b.run(name, 8, "--dense=mixed", "--check")["check"]["largest_error_of_results"] for name in b.names}
    worst = max(checked, key=checked.get)
    b.gate("results at N = 8 (--check --dense=mixed) within 1e-5 of the largest number", checked[worst] <= 1e-5, f"largest {checked[worst]:.2g} ({worst})")
    b.say()


def print_zenios(b, ratio):
    z, p = b.run("zenios", 512), b.run("zenios", 512, "--schedule=published")
    m, k, lengths = b.lists("zenios", 512)
    stream, slots, c, hidden, total = model.parts_of_pass(m, k, lengths)
    b.say(f"* above the gate: zenios, {ratio:.3f}. It has {z['matrix']['nnz']:,} non-zeros beside {z['matrix']['zeros']:,} stored zeros, so that ideal is {z['ideal']} slots. Of a pass of {total} cycles the slots are {slots}; B takes "
          f"{stream} and C {c}, of which {hidden} hide behind each other. The compiler minimises cycles: fewer slots need rows cut in more pieces, and each 16 more rows of C take a cycle too. "
          f"The published rule takes {p['slots']} slots and {p['cycles']:,} cycles, ours {z['cycles']:,}.")


# ---- the page ----

def print_picture(b):
    name = "S of Cora" if "S of Cora" in b.names else b.names[0]
    panels = []
    for rule in ("published", "best"):
        made, sections = b.sections(name, 512, f"--schedule={rule}")
        launch, = made["launches"]
        panels.append(model.read_window(sections, launch["slots"], model.read_q(sections, launch["windows"])[0]))
    b.say("### One window")
    b.say()
    b.say(f"![Slots of {name}](sextans_schedule.svg)")
    b.say()
    b.say(f"{name}, N = 512: the published rule's lists of the first window have {len(panels[0][0]):,} slots, ours {len(panels[1][0]):,}. The dotted line of the published rule is a row with many "
          "non-zeros, one in ten slots; the other PEs wait for it.")
    b.say()
    return picture.picture(name, *panels)


def write(b, svg):
    with open(PAGE, encoding="utf-8") as f:
        before, _, rest = f.read().partition(BEGIN)
    after = rest.partition(END)[2]
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(f"{before}{BEGIN}\n" + "\n".join(b.lines).rstrip() + f"\n{END}{after}")
    with open(PICTURE, "w", encoding="utf-8") as f:
        f.write(svg)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench/sextans", help="folder for matrices and programs (default build/bench/sextans)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with matrices, graphs and weights")
    parser.add_argument("--quick", action="store_true", help="two generated matrices, to try the script")
    parser.add_argument("--gates", action="store_true", help="exit status 1 when a gate fails")
    parser.add_argument("--write", action="store_true", help="write docs/devices/sextans.md and sextans_schedule.svg")
    options = parser.parse_args()
    b = Bench(options)
    if not options.quick and not b.matrices.has_shared():
        sys.exit(f"bench: there is no {options.shared}/data/graphs; --shared names the folder, --quick needs none")
    b.say()
    b.say(f"Made on {datetime.date.today()} by `python3 bench/sextans.py --write`, which prints it again. Cycles are simulated at level 1 on the device file data/devices/u280.json (189 MHz) "
          f"unless said otherwise, and exact; times of the compiler are medians on {os.cpu_count()} cores of {processor()}.")
    b.say()
    svg = print_picture(b)
    print_gates(b)
    print_rules(b)
    print_paper(b)
    forms.print_all(b)
    hosts.print_all(b)
    if b.failed:
        print(f"{len(b.failed)} gates failed: {', '.join(b.failed)}")
    if options.write and not options.quick:
        write(b, svg)
    sys.exit(1 if options.gates and b.failed else 0)


if __name__ == "__main__":
    main()
