"""Memory of a step of training, and the time of gnnc --train."""
import os
import re
import statistics

import cells
import train_cells
import train_native
from inputs import ROOT, Inputs, run
from train_speed import Speeds

NUMBER = 4


def stack(layer, layers, width):
    """The text of a model of that many equal layers."""
    heads = layer == "gat"
    text = ("model stack {\n  graph g;\n  dim C;\n  input x     : node f32[F];\n  input y     : node f32;\n"
            "  input train : node f32 from \"train_mask\";\n\n")
    value = "x"
    for k in range(1, layers + 1):
        last = k == layers
        sizes = ("1, C" if last else f"8, {width // 8}") if heads else "C" if last else str(width)
        made = f"{layer}_conv(g, {value}, {sizes}) from \"conv{k}\""
        text += f"  output logits = {made};\n" if last else f"  let h{k} = {'elu' if heads else 'relu'}({made});\n"
        value = f"h{k}"
    return text + "  loss nll = cross_entropy(logits, y, train);\n}\n"


def cpu_seconds(command):
    """Processor seconds of a process."""
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, f, "/dev/null", os.O_WRONLY, 0) for f in (1, 2)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"bench: {' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


class Costs:
    """What training takes beside an inference: memory and the time of the compiler."""

    def __init__(self, options):
        self.options, self.inputs = options, Inputs(options)
        self.folder = f"{options.out}/train"
        os.makedirs(self.folder, exist_ok=True)

    # ---- memory ----

    def memory(self):
        graph = self.inputs.graph("flickr")
        for layer, layers in (("gcn", 2), ("gcn", 4), ("gat", 2), ("gat", 4)):
            self.workspace(layer, layers, 64, graph)

    def workspace(self, layer, layers, width, graph):
        """The numbers of a workspace without those per edge, beside (L + 3) V F of GCN, and 2 V H L more of GAT."""
        source, out = f"{self.folder}/stack.gnn", f"{self.folder}/stack_{layer}{layers}.c"
        with open(source, "w", encoding="utf-8") as f:
            f.write(stack(layer, layers, width))
        run([f"{self.options.bin}/gnnc", "--target=c", "--train", source, "--graph", graph, "--dim=C=7", "-o", out])
        bound = train_native.Timed(train_native.build(out, ("-O0",)), "stack_train", graph)
        with open(out, encoding="utf-8") as f:
            slots = [int(n) for n in re.findall(r"->slot_\d+ = section\(&at, header->\w*edges, (\d+) \* sizeof\(real\)\)", f.read())]
        nodes, edges, heads = bound.sizes["node"], bound.sizes["edge"], 8
        # GCN and GAT have a loop at each node
        numbers = (bound.workspace_bytes / NUMBER - (edges + nodes) * sum(slots)) / nodes
        limit = (layers + 3) * width + (2 * heads * layers if layer == "gat" else 0)
        widest = heads if layer == "gat" else 1
        state = "reached" if numbers <= limit else f"missed by {numbers - limit:.1f}"
        per_edge = "reached" if max(slots, default=0) <= widest else "missed"
        print(f"{layer} of {layers} layers of width {width}: {numbers:.1f} numbers per node (at most {limit}: {state}); "
              f"{bound.workspace_bytes / 1e6:.1f} MB in all")
        print(f"    per edge {'+'.join(map(str, slots)) or 'nothing'} (each at most {widest}: {per_edge}); flickr size, {nodes} nodes, {edges} edges", flush=True)

    # ---- the compiler ----

    def compile(self):
        seen = set()
        for cell in train_cells.TIMES:
            if cell.name in seen or self.options.only and cell.name not in self.options.only:
                continue
            seen.add(cell.name)
            self.pairs(cell)

    def pairs(self, cell):
        """gnnc --train / gnnc for a model, alternating."""
        is_typed = cell.graph not in cells.GRAPHS
        read = ["--graph", Speeds(self.options).graph(cell.graph)] if is_typed else ["--dim=F=1433"]
        made = ["--target=c", f"{ROOT}/{cell.model}", *train_cells.dims(cell.dims), *read]
        base = [f"{self.options.bin}/gnnc", *made, "-o", f"{self.folder}/compiled.c"]
        plain, trained = [], []
        for _ in range(self.options.pairs):
            plain.append(cpu_seconds(base))
            trained.append(cpu_seconds([*base, "--train"]))
        ratio = statistics.median(t / p for t, p in zip(trained, plain))
        state = "reached" if ratio <= 3.5 else f"missed by {ratio - 3.5:.2f}"
        print(f"{cell.name}: gnnc {1e3 * statistics.median(plain):.1f} ms, gnnc --train {1e3 * statistics.median(trained):.1f} ms, "
              f"ratio {ratio:.2f} (at most 3.5: {state})")
        print(f"    {' '.join(made).replace(f'{ROOT}/', '')}, {self.options.pairs} alternating pairs, processor time", flush=True)
