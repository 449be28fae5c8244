"""What bounds the time on graphs: parts of a pass, what each part of the compiler's rule gains, other forms without new hardware, and what extensions of the device would buy."""
import math

import sextans_model as model
from sextans_inputs import ORDERS
from sextans_model import Hardware

N = 512
PARTS = {"cut": "rows are not cut", "assign": "row r goes to PE r mod 64", "schedule": "lists by the published rule", "columns": "columns without non-zeros stay"}


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def base(b, name):
    return b.run(name, N)["cycles"]


def summary(b, ratio):
    """(geometric mean, the largest three and the least of a ratio per matrix) as cells."""
    found = {name: ratio(name) for name in b.names}
    most = sorted(found, key=found.get, reverse=True)[:3]
    least = min(found, key=found.get)
    return [f"**{geometric_mean(found.values()):.3f}**", ", ".join(f"{n} {found[n]:.3f}" for n in most), f"{least} {found[least]:.3f}"]


def print_parts(b):
    b.say("### What bounds the time")
    b.say()
    b.say(f"Cycles of a pass in the middle of a launch, N = {N}, our rule. Hidden: the first window of B is streamed while C of the pass before is written and that of this pass is cleared. "
          "Bound: the pass with any order of columns, cut, assignment and schedule; all rows of B once, one non-zero per PE and slot, no row of C added, and as much hidden as possible. "
          "Exchanged: at least the cycles of the product with A and B exchanged, over ours.")
    b.say()
    rows, over = [], {}
    for name in b.names:
        m, k, lengths = b.lists(name, N)
        stream, slots, c, hidden, total = model.parts_of_pass(m, k, lengths)
        if model.launch_cycles(m, k, N, lengths) != base(b, name):
            raise SystemExit(f"bench: {name}: the formula gives {model.launch_cycles(m, k, N, lengths)} cycles, the simulator {base(b, name)}")
        about = b.run(name, N)["matrix"]
        least = model.least_pass(about["rows"], k, about["nnz"])
        over[name] = total / least
        limit = max((("B", stream), ("slots", slots), ("C", c)), key=lambda x: x[1])[0]
        rows.append([name, f"{stream:,}", f"{slots:,}", f"{c:,}", f"{hidden:,}", f"**{total:,}**", limit, f"{total / least:.3f}",
                     f"{model.exchanged_pass_cycles(about['rows'], k, N) / base(b, name):.1f}"])
    b.table(["", "stream B", "slots", "clear and write C", "hidden", "cycles of a pass", "largest part", "over the bound", "exchanged"], rows)
    b.say(f"Geometric mean over the bound: {geometric_mean(over.values()):.4f}. No order of columns, cut, assignment or schedule can gain more than that; only fewer rows of B or C, or another "
          "device. Exchanging A and B cannot gain on any of them: A is then read as a dense matrix.")
    b.say()
    count = {part: sum(row[6] == part for row in rows) for part in ("B", "slots", "C")}
    b.say("The largest part is " + ", ".join(f"{'clearing and writing C' if part == 'C' else 'streaming B' if part == 'B' else 'slots'} for {n}" for part, n in count.items()) +
          f" of {len(rows)} matrices.")
    b.say()


def print_gains(b):
    b.say("### Gain of each form")
    b.say()
    b.say(f"Cycles without it / cycles with it at N = {N}, simulated; above 1 it gains. The parts of our rule are switched off alone (`gnn-spmm --without=`); the others are tried on top of it.")
    b.say()
    rows = []
    for part, said in PARTS.items():
        rows.append([f"{said} (`--without={part}`)", *summary(b, lambda name, part=part: b.run(name, N, f"--without={part}")["cycles"] / base(b, name))])
    rows.append(["all four (`--schedule=published`)", *summary(b, lambda name: b.run(name, N, "--schedule=published")["cycles"] / base(b, name))])
    b.table(["without", "geometric mean", "largest", "least"], rows)
    rows = [["rows without non-zeros left out (the script removes them)", *summary(b, lambda name: base(b, name) / b.spmm(b.matrices.without_empty_rows(name), N)["cycles"])]]
    for order in ORDERS:
        rows.append([f"order of columns: {order}", *summary(b, lambda name, order=order: base(b, name) / b.spmm(b.matrices.ordered(name, order), N)["cycles"])])
    rows.append(["the best of all orders for each matrix", *summary(b, lambda name: base(b, name) / min(base(b, name), *(b.spmm(b.matrices.ordered(name, o), N)["cycles"] for o in ORDERS)))])
    for window in (2048, 1024):
        rows.append([f"windows of {window} rows (`--device-set=window={window}`)", *summary(b, lambda name, w=window: base(b, name) / b.run(name, N, f"--device-set=window={w}")["cycles"])])
    b.table(["with", "geometric mean", "largest", "least"], rows)
    print_reading(b)


def print_reading(b):
    empty = {}
    for name in b.names:
        path = b.matrices.without_empty_rows(name)
        left = b.run(name, N)["matrix"]["rows"] - b.spmm(path, N)["matrix"]["rows"]
        if left:
            empty[name] = left
    columns = {name: (found["matrix"]["columns"], found["launches"][0]["columns"]) for name in b.names for found in [b.run(name, N)]}
    columns = {name: f"{all_ - used:,} of {all_:,}" for name, (all_, used) in columns.items() if used < all_}
    b.say("* Columns without non-zeros: " + (", ".join(f"{n} {c}" for n, c in columns.items()) or "none") + ". The other matrices have none, and cannot gain.")
    b.say("* Rows without non-zeros: " + (", ".join(f"{n} {c:,}" for n, c in empty.items()) or "none") + ". gnn-spmm keeps them, because C is beta C_in there; gnnc leaves them out where a launch has no C_in.")
    b.say("* Narrower windows hide less of B and leave fewer choices to the schedule. Nothing else changes: with one buffer, B is streamed while no slot is processed.")
    b.say("* Orders of columns change the slots and nothing else; the bound above says how much that can be.")
    b.say()


def print_extensions(b):
    b.say("### What extensions of the device would buy")
    b.say()
    b.say(f"Times as fast as the device of the paper with our lists, N = {N}. *Simulated* are parameters of the device, and the compiler makes lists for them. A *model* is the formula of "
          "isa/sextans/timing.h in the script with another constant, on the lists of the base case; on the base case itself it gives the simulator's cycles for every matrix.")
    b.say()
    rows = []
    for said, options in (("`has_two_b`: two buffers of 2048 rows of B, the same storage", ["has_two_b=true"]),
                          ("`has_two_b` with `window=8192`: two buffers of 4096 rows, twice the storage", ["has_two_b=true", "window=8192"]),
                          ("`window=16384`, four times the storage", ["window=16384"]), ("`distance=5`", ["distance=5"]), ("`distance=1`: an adder without latency", ["distance=1"])):
        flags = [f"--device-set={o}" for o in options]
        rows.append([said, "simulated", *summary(b, lambda name, flags=flags: base(b, name) / b.run(name, N, *flags)["cycles"])])
    flags = ["--device-set=distance=1", "--schedule=published"]
    rows.append(["`distance=1`, published rule against the published rule", "simulated",
                 *summary(b, lambda name: b.run(name, N, "--schedule=published")["cycles"] / b.run(name, N, *flags)["cycles"])])
    for said, hardware in (("B streamed 16 rows per cycle (8 channels; FB = 8)", Hardware(stream=16)), ("C written while the next pass computes (two scratchpads)", Hardware(writes_aside=True)),
                           ("16 columns per pass, channels as they are", Hardware(tile=16, stream=4, write=8)), ("16 columns per pass, twice the channels of B and C", Hardware(tile=16)),
                           ("B at 16 rows per cycle, and C written aside", Hardware(stream=16, writes_aside=True)),
                           ("B at 24 rows per cycle: the channels of C_in with `no_c`", Hardware(stream=24))):
        rows.append([said, "model", *summary(b, lambda name, h=hardware: base(b, name) / model.launch_cycles(*with_n(b.lists(name, N)), h))])
    two = {"has_two_b": True, "window": 4096}
    for said, more in (("`has_two_b`, and C written aside", {"writes_aside": True}), ("`has_two_b`, B at 16 rows per cycle, C written aside", {"stream": 16, "writes_aside": True})):
        h = Hardware(**two, **more)
        rows.append([said, "model", *summary(b, lambda name, h=h: base(b, name) / model.launch_cycles(*with_n(b.lists(name, N, "--device-set=has_two_b=true")), h))])
    b.table(["", "", "geometric mean", "largest", "least"], rows)
    for name in b.names:
        m, k, lengths = b.lists(name, N, "--device-set=has_two_b=true")
        simulated = b.run(name, N, "--device-set=has_two_b=true")["cycles"]
        if model.launch_cycles(m, k, N, lengths, Hardware(**two)) != simulated:
            raise SystemExit(f"bench: {name} with has_two_b: the formula does not give the simulator's cycles")


def with_n(lists):
    m, k, lengths = lists
    return m, k, N, lengths


def print_blocks(b):
    """More rows than the PEs hold."""
    path = f"{b.matrices.shared}/web_notredame.safetensors"
    b.say("### Blocks of rows")
    b.say()
    b.say("A of web-NotreDame (325,729 rows), N = 64, our rule. A block of rows is a launch of its own and streams all rows of B that the matrix reads.")
    b.say()
    whole, rows = b.spmm(path, 64)["cycles"], []
    for depth in (12288, 4096, 2048, 1024, 512):
        r = b.spmm(path, 64, f"--device-set=depth={depth}")
        rows.append([depth, len(r["launches"]), f"{r['cycles']:,}", f"{r['cycles'] / whole:.2f}"])
    b.table(["depth", "launches", "cycles", "times one launch"], rows)


def print_all(b):
    print_parts(b)
    print_gains(b)
    print_extensions(b)
    if b.matrices.has_shared() and not b.options.quick:
        print_blocks(b)
