"""docs/devices/README.md from the tables of bench/devices.py."""
import os
import platform

KEEP_BEGIN, KEEP_END = "<!-- written by hand: bench/devices.py keeps this section -->", "<!-- end of what is written by hand -->"
TITLES = {"paper": "The papers' devices", "equal": "Equal devices"}
GRAPHS = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "aifb": "AIFB", "aifb_typed": "AIFB with node types", "mutag_tu": "MUTAG", "fb15k_237": "FB15k-237",
          "karate": "karate club"}

HEAD = """# Devices side by side

<!-- made by bench/devices.py --write, except for the section between its two marks -->

This page compares the machines that `gnnc` compiles for, on the same models and graphs. `gnn-run --table` makes each table, and this command makes the page:

```sh
python3 bench/devices.py --write
```

* [How to read the tables](#how-to-read-the-tables)
* [The devices](#the-devices)
* [The papers' devices](#the-papers-devices)
* [Equal devices](#equal-devices)
* [C on a processor](#c-on-a-processor)
* [What an architect learns](#what-an-architect-learns)
"""

READ = """## How to read the tables

* Everything about a device is simulated, at level 1 of its simulator, and exact for the rules that its page states. No device was measured.
* **cycles, MHz, device ms**: the device alone. **link ms**: bytes that host steps move between host and device, over `link_gb_s`. **host ms**: operations of host
  steps over `host_gflop_s` and `host_gb_s`. The last two are nominal, the same for all devices, and not part of the device's time; **sum ms** adds the three.
* Left out of all times: loading the program, the weights and the first inputs into the device's memory, reading the results back where no host step does it, the
  compiler, and the time of a launch (`launch_us` is 0; the column **launches** counts them).
* **MACs / useful**: multiply-adds that the device executes, with its padding, over the useful ones: those of the model in the order that costs least, sparse
  features counted by entries, the same number for every device. **share**: of the model's multiply-adds, as the machine's compiler orders them, those on the device; the host computes the others.
* **% of peak**: executed multiply-adds / (cycles * peak), the peak being that of the fastest instruction in the program. **% of memory**: bytes / (time *
  bandwidth of the device's memory).
* **limit**: of the layer that takes longest, `memory` from 80 % of the bandwidth on, else the state in which the units of the device spend most cycles.
* **energy**: a proxy for the device alone, executed multiply-adds * `pj_per_mac` + bytes * `pj_per_byte`. An fp32 multiply-add takes 4.6 pJ at 45 nm (3.7 + 0.9; Horowitz,
  ISSCC 2014). All other constants are assumptions: bf16 1.5 pJ, DDR 150 pJ per byte, HBM 32 pJ per byte. Nothing else of a device is in it.
* **difference**: the largest one from the outputs of the program in C, relative to max(1, largest value). **test**: share of test nodes or graphs with the right
  label. Where weights are random, times alone are simulated.
"""


def number(x, digits=4):
    """A number with so many digits; thousands have commas."""
    if x is None:
        return "-"
    if isinstance(x, int) or (abs(x) >= 10 ** (digits - 1)):
        return f"{round(x):,}"
    return f"{x:.{digits}g}" if x else "0"


def table(rows, titles):
    yield "| " + " | ".join(titles) + " |"
    yield "|" + "---|" * len(titles)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def headline(case):
    """"gcn on Cora 1433-16-7, sparse features": the configuration of a model."""
    sizes = f", {case.sizes}" if case.sizes else ""
    return f"{case.model} on {GRAPHS.get(case.graph_name, case.graph_name)}{sizes}"


def images(tables):
    """(case, result, row) of each program of a machine."""
    for case, result in tables:
        for p in result["programs"]:
            if "cycles" in p:
                yield case, result, p


def is_idle(p):
    """Whether the program has no device: the host computes everything."""
    return not p["cycles"]


def label(p):
    """Machine and device of a program; the machine alone where there is no device."""
    if is_idle(p):
        return f"none ({p['machine']})"
    return p["device"] if p["machine"] in p["device"] else f"{p['machine']}, {p['device']}"


def bound(p):
    """What limits the layer that takes longest."""
    return max(p["statistics"]["layers"], key=lambda layer: layer["cycles"])["bound"].replace("_", " ")


def device_rows(results):
    seen = set()
    for kind, tables in results.items():
        for _, _, p in images(tables):
            key = (p["machine"], p["device"])
            if key in seen or is_idle(p):
                continue
            seen.add(key)
            d = p["statistics"]["device"]
            peak = max(q["peak_multiply_adds"] for other in results.values() for _, _, q in images(other) if (q["machine"], q["device"]) == key)
            yield [p["device"], p["machine"], TITLES[kind].lower(), number(d["clock_mhz"]), number(round(peak)), number(2e-3 * peak * d["clock_mhz"]),
                   f"{number(d['ddr_gb_s'])}, {d['memory']}" if "memory" in d else number(d["ddr_gb_s"]), number(d["ddr_latency"]), number(d["pj_per_mac"]), number(d["pj_per_byte"])]


def time_rows(tables):
    last = None
    for case, _, p in images(tables):
        name = headline(case)
        yield ["" if name == last else name, label(p), number(p["cycles"]), number(p["clock_mhz"]), number(p["device_ms"]),
               number(p["link_ms"]), number(p["launches"]), number(p["host_ms"]), number(p["sum_ms"])]
        last = name


def work_rows(tables):
    last = None
    for case, result, p in images(tables):
        if is_idle(p):
            continue
        name, useful = headline(case), result.get("useful_multiply_adds")
        accuracy = p.get("accuracy", {})
        test = next((accuracy[k] for k in ("test", "all") if k in accuracy), None)
        yield ["" if name == last else name, label(p), number(p["multiply_adds"] / useful, 3) if useful else "-", number(100 * p["utilisation"], 3), number(1e-6 * p["ddr_bytes"]),
               number(100 * p["bandwidth_share"], 3), bound(p), number(p["device_share"]), number(p["energy_mj"]), number(p.get("difference"), 2), f"{100 * test:.1f} %" if test is not None else "-"]
        last = name


def measured_rows(tables):
    for case, result in tables:
        for p in result["programs"]:
            if "measured" not in p:
                continue
            m, accuracy = p["measured"], p.get("accuracy", {})
            test = next((accuracy[k] for k in ("test", "all") if k in accuracy), None)
            yield [headline(case), number(m["ms"]), number(m["shortest_ms"]), number(m["longest_ms"]), f"{100 * test:.1f} %" if test is not None else "-"]


def processor():
    """The name of the host's processor."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def set_section(kind, tables, refused):
    yield f"## {TITLES[kind]}"
    yield ""
    yield {"paper": "Each device as its paper describes it, with its clock and its memory. Their sizes differ, so that these times compare devices and not designs.",
           "equal": "Devices with the same peak, clock, bandwidth and latency, made from the parameters of each machine. These times compare designs."}[kind]
    yield ""
    yield f"![Time of the device by layer]({kind}.svg)"
    yield ""
    yield from table(time_rows(tables), ["model", "device", "cycles", "MHz", "device ms", "link ms", "launches", "host ms", "sum ms"])
    yield ""
    yield from table(work_rows(tables), ["model", "device", "MACs / useful", "% of peak", "memory MB", "% of memory", "limit", "share %", "energy mJ", "difference", "test"])
    yield ""
    for _, case, machine, message in (r for r in refused if r[0] == kind):
        yield f"* {machine} has no program for {headline(case)}: `{message}`"
    for case, p in ((c, p) for c, result in tables for p in result["programs"] if "error" in p):
        yield f"* {headline(case)} failed: `{p['error']}`"


def make(results, refused, targets, today):
    """The text of the page, with an empty section for what is written by hand."""
    lines = [HEAD, f"Made on {today}.", "", READ, "## The devices", "",
             "Machines: " + "; ".join(f"`{name}`, {summary}" for name, summary in targets.items()) + ".", ""]
    lines += table(device_rows(results), ["device", "machine", "set", "MHz", "MACs per cycle", "GFLOP/s", "GB/s of memory", "latency", "pJ per MAC", "pJ per byte"])
    lines += ["", "MACs per cycle is the largest peak of an instruction in the programs of this page.", ""]
    for kind, tables in results.items():
        lines += [*set_section(kind, tables, refused), ""]
    first = next(iter(results.values()))
    threads = next((p["measured"] for _, r in first for p in r["programs"] if "measured" in p), {"threads": 1, "runs": 1})
    lines += ["## C on a processor", "",
              f"Measured, and therefore in no sum with the times above: generated C (`gnnc --target=c -O2`) on {processor()}, {threads['threads']} thread, {threads['runs']} runs, the graph "
              "and the weights bound and in the cache.", ""]
    lines += table(measured_rows(first), ["model", "median ms", "shortest ms", "longest ms", "test"])
    lines += ["", "## What an architect learns", "", KEEP_BEGIN, "", KEEP_END]
    return "\n".join(lines) + "\n"


def kept(path):
    """What is written by hand in the page that is there."""
    if not os.path.exists(path):
        return "\n\n"
    with open(path, encoding="utf-8") as f:
        return f.read().partition(KEEP_BEGIN)[2].partition(KEEP_END)[0] or "\n\n"


def write(path, text):
    before, _, rest = text.partition(KEEP_BEGIN)
    hand = kept(path)
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + KEEP_BEGIN + hand + KEEP_END + rest.partition(KEEP_END)[2])


def problems(results):
    """What must not be: programs that fail, and outputs that differ."""
    found = []
    for kind, tables in results.items():
        for case, result in tables:
            for p in result["programs"]:
                if "error" in p:
                    found.append(f"{kind}, {case.name}: {p['error']}")
                elif not p.get("agrees", True):
                    found.append(f"{kind}, {case.name} on {p['machine']}: '{p['output']}' differs by {p['difference']:.3g}, allowed {p['tolerance']:.3g}")
    return found
