#!/usr/bin/env python3
"""GraphAGILE's Tables VII and VIII, beside ours: python3 bench/table7.py [--gates] [--write]

For b1 .. b8 on graphs of the paper's seven sizes (uniform edges, cached in --out) prints T_LoH: the paper's, and ours under the paper's accounting
(--preset=paper, bench/models/b*_paper.gnn). Then, for the device with 77 GB/s that all PEs share (bench/models/b*.gnn), a column each for dense features
without broadcast, sparse features, sparse features and broadcast, these with edges of 4 bytes and columns of 4 bytes per row ("packed"), and all of these
with rows of fp16 ("packed_fp16"): T_LoC, T_comm, T_LoH and T_E2E of the same program, at each of --levels, beside the two-tile floor that is frozen in overlay_floor.csv
(overlay_cells.py has its formula). Then means with and without the small graphs and b5, DDR at part of its bandwidth, the cost of new features, graphs
with structure (--structured), program sizes against Table VIII, and the gates. --keep=FILE (JSON) has the cells that are measured, and a run goes on from it.
--gates: exit status 1 when one fails; --write: docs/results.md.
"""
import copy
import datetime
import json
import math
import os
import sys
import threading

import machine
import overlay_cells as cells
import overlay_structure as structure
from overlay_bench import ROOT, Failed, Overlay, parser_of, run, run_jobs, write_page
from overlay_cells import GRAPHS, MODELS, geometric_mean

COLUMNS = {  # name: options; the floor of the same name is its reference
    "dense": ["--features=dense"],
    "sparse": ["--features=auto"],
    "broadcast": ["--features=auto", "--device-set=has_broadcast=true"],
    "packed": ["--features=auto", "--device-set=has_broadcast=true", "--device-set=has_packed_edges=true",
               "--device-set=has_compact_columns=true"],  # no gate: what it would take
    "packed_fp16": ["--features=auto", "--device-set=has_broadcast=true", "--device-set=has_packed_edges=true", "--device-set=has_compact_columns=true",
                    "--device-set=has_half_rows=true", "-fhalf-rows"],  # all extensions
}
# Geometric mean of the paper's / ours at each level, at least; cells of the 56 whose T_E2E is below the paper's, at least.
GATES = {"dense": {"L1": 0.45}, "sparse": {"L1": 1.05, "L2": 0.95}, "broadcast": {"L1": 1.45, "L2": 1.3}, "packed_fp16": {"L1": 2.0, "L2": 1.7}}
E2E_GATES = {"sparse": 26, "broadcast": 30, "packed_fp16": 42}
FLOOR_GATE = 1.2
LOC_FIXED, LOC_FACTOR = 0.15, 2.5  # T_LoC at most: ms, and times the time to move its bytes
EFFICIENCIES = (0.92, 0.85)  # of DDR; the programs are planned for all of it
KEEPING = threading.Lock()  # simulations side by side keep what they have measured
WITHOUT = {"all": (), "without CI, CO": ("CI", "CO"), "without b5": ("b5",), "without CI, CO, b5": ("CI", "CO", "b5")}


class Report:
    """Lines for the terminal and for docs/results.md, and the gates."""

    def __init__(self):
        self.lines, self.failed = [], []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def table(self, head, rows):
        self.say("| " + " | ".join(head) + " |")
        self.say("|" + "---|" * len(head))
        for row in rows:
            self.say("| " + " | ".join(row) + " |")
        self.say()

    def gate(self, name, is_good, said):
        self.say(f"* {'ok' if is_good else 'FAILED'}: {name}: {said}")
        if not is_good:
            self.failed.append(name)


def number(x):
    """Three digits that matter."""
    if math.isnan(x):
        return "failed"
    return f"{x:.3f}" if x < 10 else f"{x:.2f}" if x < 100 else f"{x:.1f}"


def repeats(graph, options):
    """Compilations to time, and in how many processes: the large graphs take seconds each."""
    return (options.repeat, 3) if graph in cells.SMALL else (options.repeat_large, 1)


def attempt(cell, name, work):
    """Runs a part of a cell. What fails is kept and shown as such: it is no number, and no mean is made without it."""
    try:
        work()
    except Failed as error:
        cell[name] = math.nan
        cell.setdefault("failures", []).append(f"{name}: {error}")
        print(f"FAILED {name}: {str(error)[:600]}", file=sys.stderr, flush=True)


def time_paper(bench, cell, model, graph, _options):
    """T_LoH and size of the program under the paper's accounting."""
    cell["text"] = bench.compile(f"{model}_paper", graph, ["--preset=paper"])[".text"]
    ran = bench.simulate("L0")
    cell.update(paper_mode=ran["ms"], sim_seconds=ran["seconds"])


def time_column(bench, column, name, model, graph, options):
    """T_LoH of one program at each level, and at the first level with part of DDR's bandwidth."""
    sections = bench.compile(model, graph, COLUMNS[name], has_data=options.levels != ["L0"])
    column["written"] = sum(sections.get(s, 0) for s in (".edges", ".desc", ".text"))
    for level in options.levels:
        ran = bench.simulate(level)
        column[level] = ran["ms"]
        column.setdefault("seconds", ran["seconds"])
        column[f"{level} seconds"] = ran["seconds"]
    for share in EFFICIENCIES:
        column[share] = bench.simulate(options.levels[0], [f"--memory=shared:{cells.DDR / 1e6 * share:g}"])["ms"]


def columns_of(graph):
    """The columns with programs of their own: where all features are stored, the sparse one is the dense one."""
    return [name for name in COLUMNS if name != "sparse" or cells.SIZES[graph][4]]


def simulate_cell(bench, cell, model, graph, options):
    """All simulated times of a cell. What fails is nan as a whole: a part of a column is no column."""
    cell.update(text=math.nan)
    attempt(cell, "paper_mode", lambda: time_paper(bench, cell, model, graph, options))
    for name in columns_of(graph):
        column = cell[name]
        column.update(dict.fromkeys([*options.levels, *EFFICIENCIES], math.nan))
        attempt(cell, f"{name} T_LoH", lambda name=name, column=column: time_column(bench, column, name, model, graph, options))
        if f"{name} T_LoH" in cell:
            column.update(dict.fromkeys([*options.levels, *EFFICIENCIES], math.nan))


def compile_cell(bench, cell, model, graph, options):
    """T_LoC, shortest and median, of the paper's program and of each column's."""
    def take(into, name, *program):
        into.update(loc=math.nan, loc_median=math.nan)

        def compiles():
            into["loc"], into["loc_median"] = bench.compile_ms(*program, *repeats(graph, options))
        attempt(cell, name, compiles)
    take(cell, "paper_mode T_LoC", f"{model}_paper", graph, ["--preset=paper"])
    for name in columns_of(graph):
        take(cell[name], f"{name} T_LoC", model, graph, COLUMNS[name])


def t_comm(graph, name):
    """T_comm of a column's program."""
    is_sparse, _, record, _, value = cells.FLOORS[name]
    return cells.t_comm(graph, is_sparse, record, value)


def t_e2e(cell, graph, name, level):
    return cell[name]["loc"] + t_comm(graph, name) + cell[name][level]


def say_cell(name, cell):
    """A line of progress."""
    numbers = ", ".join(f"{k} {v:.6g}" for k, v in cell.items() if isinstance(v, float))
    columns = "".join(f"; {k}: " + ", ".join(f"{q} {v:.6g}" for q, v in cell[k].items()) for k in COLUMNS if k in cell)
    print(f"  {name}: {numbers}{columns}", file=sys.stderr, flush=True)


def keep(path, measured):
    """Writes what is measured."""
    if not path:
        return
    with KEEPING:
        with open(f"{path}.new", "w", encoding="utf-8") as f:
            json.dump({"/".join(c): cell for c, cell in measured.items() if cell}, f, indent=1)
        os.replace(f"{path}.new", path)


def kept(path, measured):
    """Fills in what an earlier run kept; shares of DDR's bandwidth are numbers again."""
    if not path or not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as f:
        for name, cell in json.load(f).items():
            columns = {k: {float(q) if q[0].isdigit() else q: v for q, v in of.items()} if k in COLUMNS else of for k, of in cell.items()}
            if tuple(name.split("/")) in measured:
                measured[tuple(name.split("/"))] = columns


def measure(bench, options):
    """{(model, graph): {"paper_mode", "loc", "text", "dense": {"loc", "L1", ...}, ...}}; what failed is nan. T_LoC is taken first, with nothing beside it; then
    simulations run side by side, the largest graphs first."""
    for graph in options.graphs:
        bench.graph(graph)
        for model in options.models:
            bench.weights(model, graph)
            bench.weights(f"{model}_paper", graph)
    measured = {(m, g): {name: {} for name in columns_of(g)} for g in options.graphs for m in options.models}
    kept(options.keep, measured)
    for (model, graph), cell in measured.items():
        if "loc" not in cell:
            compile_cell(bench, cell, model, graph, options)
            say_cell(f"{model}/{graph}", cell)
            keep(options.keep, measured)

    def simulate(c):
        cell = copy.deepcopy(measured[c])  # another thread writes `measured` meanwhile
        simulate_cell(bench, cell, *c, options)
        measured[c] = cell
        say_cell("/".join(c), cell)
        keep(options.keep, measured)
    run_jobs(options.jobs, simulate, sorted((c for c, cell in measured.items() if "paper_mode" not in cell), key=lambda c: -cells.SIZES[c[1]][1]))
    for cell in measured.values():
        cell.setdefault("sparse", cell["dense"])
    return measured


def by_cell(options, say):
    """One row per model, one column per graph."""
    return [[model] + [say(model, graph) for graph in options.graphs] for model in options.models]


# ---- tables ---------------------------------------------------------------------------------------------------------------------------------------------


def print_paper_mode(report, options, paper, measured):
    report.say("## T_LoH under the paper's accounting")
    report.say()
    report.say("Each cell: the paper's, ours, ours / the paper's; in brackets the ratio of the rule that the accounting was read from.")
    report.say()

    def say(model, graph):
        theirs, ours = paper[model, graph]["T_LoH"], measured[model, graph]["paper_mode"]
        return f"{number(theirs)} / {number(ours)} / **{ours / theirs:.3f}** ({cells.paper_rule(model, graph) / theirs:.3f})"
    report.table(["", *options.graphs], by_cell(options, say))

    def error(model, graph):
        ratio = measured[model, graph]["paper_mode"] / paper[model, graph]["T_LoH"]
        return max(ratio, 1 / ratio)
    good = [c for c in measured if c not in cells.WHY_NOT]
    report.say(f"Geometric mean of the error over {len(good)} reproducible cells: {100 * (geometric_mean(error(*c) for c in good) - 1):.1f} %; "
               f"over all {len(measured)}: {100 * (geometric_mean(error(*c) for c in measured) - 1):.1f} %.")
    report.say()
    report.say("Not reproducible, or not a gate:")
    report.say()
    for (model, graph), why in sorted(cells.WHY_NOT.items()):
        if (model, graph) in measured:
            report.say(f"* {model}/{graph}: {why}; ours / the paper's {measured[model, graph]['paper_mode'] / paper[model, graph]['T_LoH']:.3f}")
    report.say()


def print_columns(report, options, paper, measured):
    first, others = options.levels[0], options.levels[1:]
    for name, flags in COLUMNS.items():
        report.say(f"## {name}: `{' '.join(flags)}`, 77 GB/s shared")
        report.say()
        report.say(f"T_LoH. Each cell: ours at {first}, the paper's / ours, ours / two-tile floor" + "".join(f"; at {level}: ours, the paper's / ours" for level in others) + ".")
        report.say()

        def say_hardware(model, graph, name=name):
            cell, theirs = measured[model, graph][name], paper[model, graph]["T_LoH"]
            more = "".join(f"; {number(cell[level])} / **{theirs / cell[level]:.2f}**" for level in others)
            return f"{number(cell[first])} / **{theirs / cell[first]:.2f}** / {cell[first] / cells.frozen_floors()[name, model, graph]:.2f}{more}"
        report.table(["", *options.graphs], by_cell(options, say_hardware))
        report.say(f"T_E2E of the same program. Each cell: T_LoC + T_comm + T_LoH at {first} = T_E2E, the paper's T_E2E / ours.")
        report.say()

        def say_all(model, graph, name=name):
            cell = measured[model, graph]
            total = t_e2e(cell, graph, name, first)
            return (f"{number(cell[name]['loc'])} + {number(t_comm(graph, name))} + {number(cell[name][first])} = {number(total)} / "
                    f"**{paper[model, graph]['T_E2E'] / total:.2f}**")
        report.table(["", *options.graphs], by_cell(options, say_all))


def means_of(paper, measured, left_out, name, ours):
    """Geometric mean of the paper's / ours over the cells that are not left out; `ours` is (quantity of the paper, our number of a cell)."""
    quantity, of = ours
    return geometric_mean(paper[m, g][quantity] / of(measured[m, g], m, g, name) for m, g in measured if m not in left_out and g not in left_out)


def print_means(report, options, paper, measured):
    """Every number of the pages is of one program per column: its T_LoC, its T_LoH, its T_E2E."""
    first = options.levels[0]
    quantities = {f"T_LoH {level}": ("T_LoH", lambda cell, m, g, name, level=level: cell[name][level]) for level in options.levels}
    quantities |= {f"T_LoH {first}, DDR at {100 * share:.0f} %": ("T_LoH", lambda cell, m, g, name, share=share: cell[name][share]) for share in EFFICIENCIES}
    quantities |= {"T_LoC": ("T_LoC", lambda cell, m, g, name: cell[name]["loc"])}
    quantities |= {f"T_E2E {level}": ("T_E2E", lambda cell, m, g, name, level=level: t_e2e(cell, g, name, level)) for level in options.levels}
    quantities |= {"two-tile floor": ("T_LoH", lambda cell, m, g, name: cells.frozen_floors()[name, m, g])}
    report.say("## Means")
    report.say()
    report.say("Geometric means of the paper's / ours; above 1 ours is faster. DDR at part of its bandwidth: the same programs, planned for all of it.")
    report.say()
    sets = {what: out for what, out in WITHOUT.items() if any(m not in out and g not in out for m, g in measured)}
    rows = [[name, quantity, *(f"{means_of(paper, measured, out, name, ours):.3f}" for out in sets.values())] for name in COLUMNS for quantity, ours in quantities.items()]
    report.table(["program", "quantity", *sets], rows)
    for name in COLUMNS:
        slower = {q: sum(not of(measured[m, g], m, g, name) <= paper[m, g][quantity] for m, g in measured)
                  for q, (quantity, of) in quantities.items() if q in (f"T_LoH {first}", "T_LoC", f"T_E2E {first}")}
        report.say(f"* {name}: slower than the paper in " + ", ".join(f"{n} of {len(measured)} cells ({q})" for q, n in slower.items()))
    report.say()


def print_new_features(report, options, measured):
    first = options.levels[0]
    report.say("## What new features cost")
    report.say()
    report.say("A program with sparse features holds where they are: a new X, even of the same shape, needs a new program (the runtime refuses another X by its fingerprint). "
               "So each X costs T_LoC, the whole T_comm and T_LoH. A program with dense features runs on any X: it costs the transfer of X and T_LoH. "
               f"Each cell, in ms at {first}: sparse with broadcast / dense.")
    report.say()

    def say(model, graph):
        cell = measured[model, graph]
        dense = cells.x_bytes(graph) / cells.PCIE + cell["dense"][first]
        return f"{number(t_e2e(cell, graph, 'broadcast', first))} / {number(dense)}"
    sparse = [g for g in options.graphs if cells.SIZES[g][4]]
    report.table(["", *sparse], [[m, *(say(m, g) for g in sparse)] for m in options.models])


def print_compiler(report, options, paper, measured):
    report.say("## T_LoC of the program of the paper's mode, and sizes")
    report.say()
    report.say("Each cell: the paper's T_LoC; ours in ms, shortest and median. From the analysed model in memory to the program in memory, edges written and weights not packed, in a "
               "warm process (memory stays mapped and threads stand ready between compilations), the best of three for CI, CO, PU and FL. These are not the programs whose T_LoH is "
               "above: theirs is in their own columns.")
    report.say()

    def say_loc(model, graph):
        cell = measured[model, graph]
        return f"{number(paper[model, graph]['T_LoC'])} / **{number(cell['loc'])}** {number(cell['loc_median'])}"
    report.table(["", *options.graphs], by_cell(options, say_loc))
    report.say("Each cell: the paper's MB of 2^20 bytes (Table VIII, misprints corrected), ours in the paper's mode, the instructions alone.")
    report.say()
    report.table(["", *options.graphs],
                 by_cell(options, lambda m, g: f"{paper[m, g]['size']:.3f} / **{measured[m, g]['text'] / 2**20:.3f}**"))


# ---- gates ----------------------------------------------------------------------------------------------------------------------------------------------


def is_whole(measured):
    return set(measured) == {(m, g) for m in MODELS for g in GRAPHS}


def check_paper_mode(report, measured):
    for graph, models in cells.PAPER_GATES.items():
        for model in models:
            if (model, graph) in measured:
                away, allowed, is_off = cells.paper_error(model, graph, measured[model, graph]["paper_mode"])
                report.gate(f"paper mode {model}/{graph}", not is_off, f"{100 * away:+.1f} %, allowed {100 * allowed:.0f} %")


def check_columns(report, options, paper, measured):
    first = options.levels[0]
    for name, levels in GATES.items():
        for level, least in levels.items():
            if is_whole(measured) and level in options.levels:
                got = geometric_mean(paper[c]["T_LoH"] / measured[c][name][level] for c in measured)
                report.gate(f"77 GB/s, {name}, {level}", got >= least, f"geometric mean {got:.3f}, at least {least}")
        ratios = {(m, g): measured[m, g][name][first] / cells.frozen_floors()[name, m, g] for m, g in measured}
        above = [f"{m}/{g} {ratios[m, g]:.2f}" for m, g in ratios if not ratios[m, g] <= FLOOR_GATE]
        report.gate(f"two-tile floor, {name}", not above, f"{len(above)} of {len(ratios)} cells above {FLOOR_GATE} times the floor" + (f": {', '.join(above)}" if above else ""))
        below = [f"{m}/{g} {ratios[m, g]:.2f}" for m, g in ratios if ratios[m, g] < 1]
        if below:
            report.say(f"* note: {len(below)} cells are below the floor, so its assumptions do not hold there: {', '.join(below)}")


def bytes_read(graph, name):
    """What a compiler has to read at least: two ends per edge, and of sparse features a column per entry, a value, and where each row begins."""
    nodes, edges, _, _, stored = cells.SIZES[graph]
    is_sparse = cells.FLOORS[name][0]
    return 8 * edges + (8 * stored + 8 * nodes if is_sparse and stored else 0)


def check_compile_times(report, bench, measured, triad):
    """T_LoC of the columns' programs against the time that triad needs for the bytes read and written."""
    triad = triad or machine.limits(machine.compile_probe(bench.out), os.cpu_count())["gbytes"]
    for name in GATES:
        times = {c: LOC_FIXED + LOC_FACTOR * (bytes_read(c[1], name) + measured[c][name]["written"]) / (triad * 1e6) for c in measured}
        slow = [f"{m}/{g} {measured[m, g][name]['loc']:.3g} of {times[m, g]:.3g}" for m, g in measured if not measured[m, g][name]["loc"] <= times[m, g]]
        report.gate(f"T_LoC of {name}", not slow, f"{len(slow)} of {len(measured)} cells above {LOC_FIXED} ms + {LOC_FACTOR} x (bytes read and written) / {triad:.1f} GB/s"
                    + (f": {', '.join(slow)}" if slow else ""))


def check_whole_runs(report, options, paper, measured):
    for name, least in E2E_GATES.items():
        below = sum(t_e2e(measured[m, g], g, name, options.levels[0]) < paper[m, g]["T_E2E"] for m, g in measured)
        report.gate(f"T_E2E of {name}", below >= least, f"below the paper's in {below} of {len(measured)} cells, at least {least}")


def check_compiler(report, paper, measured):
    slow = [f"{m}/{g} {measured[m, g]['loc']:.3f} ms" for m, g in measured if g in cells.SMALL and not measured[m, g]["loc"] <= paper[m, g]["T_LoC"]]
    cells_looked_at = sum(g in cells.SMALL for _, g in measured)
    report.gate("T_LoC of the paper's mode", not slow, f"{cells_looked_at - len(slow)} of {cells_looked_at} cells below the paper's" + (f"; above: {', '.join(slow)}" if slow else ""))
    large = [f"{m}/{g}" for m, g in measured if cells.is_too_large(m, g, measured[m, g]["text"])]
    report.gate("size", not large, f"{len(large)} of {len(measured)} programs larger than the paper's" + (f": {', '.join(large)}" if large else ""))


def check_simulator(report, bench, measured):
    """Functional b1 on a Pubmed-sized graph below 1 s; timing-only b8 on the AP-sized one below 120 s."""
    if ("b1", "PU") in measured:
        bench.compile("b1", "PU", [], has_data=True)
        seconds = run([f"{bench.bin}/gnn-run", bench.program(), f"--graph={bench.graph('PU')}", "-o", f"{bench.out}/out.safetensors"])[1]
        report.gate("simulator, b1/PU functional", seconds < 1, f"{seconds:.2f} s for the whole process, at most 1 s")
    if ("b8", "AP") in measured:
        cell = measured["b8", "AP"]
        seconds = max([cell.get("sim_seconds", math.nan), *(cell[name].get("seconds", math.nan) for name in ("dense", "broadcast"))], key=lambda x: (math.isnan(x), x))
        report.gate("simulator, b8/AP timing only", seconds < 120, f"{seconds:.1f} s at most, allowed 120 s")


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--repeat", type=int, default=50, help="compilations per process and cell of the small graphs, three processes each; the shortest counts (default 50)")
    parser.add_argument("--repeat-large", type=int, default=3, help="compilations of a cell of RE, YE and AP, in one process (default 3)")
    parser.add_argument("--levels", default=["L1", "L2"], type=lambda t: t.split(","), help="fidelities of the mode with 77 GB/s; the first is that of gates (default L1,L2)")
    parser.add_argument("--structured", default=[], type=lambda t: list(structure.SHAPES) if t == "all" else t.split(","),
                        help=f"graphs with structure: all, or some of {','.join(structure.SHAPES)} (default none)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder of real graphs")
    parser.add_argument("--keep", help="file of measured cells, of an earlier run of the same programs or to be made")
    parser.add_argument("--triad", type=float, help="GB/s of triad on the host of kept T_LoC (default: it is measured)")
    parser.add_argument("--gates", action="store_true", help="exit with 1 when a gate fails")
    parser.add_argument("--write", action="store_true", help="write docs/results.md")
    options = parser.parse_args()
    bench, report, paper = Overlay(options.bin, options.out), Report(), cells.paper()
    measured = measure(bench, options)
    report.say("# Results of the overlay")
    report.say()
    given = [f"--{name}={','.join(getattr(options, name))}" for name, all_of in (("graphs", GRAPHS), ("models", MODELS)) if getattr(options, name) != all_of]
    command = " ".join(["python3 bench/table7.py", *given, f"--repeat={options.repeat}", f"--repeat-large={options.repeat_large}", f"--levels={','.join(options.levels)}",
                        *([f"--structured={','.join(options.structured)}"] if options.structured else [])])
    report.say(f"Made on {datetime.date.today()} by `{command}`. Times are milliseconds; fidelity "
               f"{' and '.join(options.levels)} in the mode with 77 GB/s, L0 in the paper's. CI Citeseer, CO Cora, PU Pubmed, FL Flickr, RE Reddit, YE Yelp, AP Amazon-Products: graphs of "
               "their sizes with uniform edges. The last section says how to read this.")
    report.say()
    print_paper_mode(report, options, paper, measured)
    print_means(report, options, paper, measured)
    print_columns(report, options, paper, measured)
    print_new_features(report, options, measured)
    if options.structured:
        structure.print_structure(report, options)
    print_compiler(report, options, paper, measured)
    report.say("## Gates")
    report.say()
    failures = [f"{m}/{g} {text}" for (m, g), cell in measured.items() for text in cell.get("failures", [])]
    report.gate("every program compiles and runs", not failures, f"{len(failures)} do not" + (": " + "; ".join(t.split(":")[0] for t in failures) if failures else ""))
    check_paper_mode(report, measured)
    check_columns(report, options, paper, measured)
    if is_whole(measured):
        check_whole_runs(report, options, paper, measured)
    check_compile_times(report, bench, measured, options.triad)
    check_compiler(report, paper, measured)
    check_simulator(report, bench, measured)
    if options.write:
        write_page(f"{ROOT}/docs/results.md", report.lines)
    sys.exit(1 if options.gates and report.failed else 0)


if __name__ == "__main__":
    main()
