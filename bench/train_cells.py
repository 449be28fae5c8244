"""The models of the benchmark of training: sources, sizes, options and what must be reached."""
from dataclasses import dataclass

EXAMPLES, BENCH = "examples", "bench/models/train"


@dataclass
class Accuracy:
    """A model that is trained with several seeds on a real graph, and the least mean accuracy on its test nodes in percent."""
    name: str
    graph: str
    model: str
    dims: dict
    options: list
    gate: float = None


CORA = ["--epochs=200", "--optimizer=adam", "--decay=5e-4"]
ENTITIES = ["--epochs=50", "--optimizer=adam", "--rate=0.01", "--decay=5e-4"]
ACCURACIES = [
    Accuracy("gcn", "cora", f"{EXAMPLES}/gcn.gnn", {"H": 16, "C": 7}, [*CORA, "--rate=0.01", "--decay-of=conv1.*"], 81.0),
    Accuracy("gat", "cora", f"{EXAMPLES}/gat.gnn", {"H": 8, "D": 8, "C": 7}, [*CORA, "--rate=0.005"], 82.0),
    Accuracy("sage", "cora", f"{EXAMPLES}/sage.gnn", {"H": 64, "C": 7}, [*CORA, "--rate=0.01"], 79.8),
    Accuracy("rgcn", "aifb", f"{BENCH}/rgcn_entities.gnn", {"B": 30, "H": 16, "C": 4}, ENTITIES, 91.6),
    Accuracy("rgcn", "mutag", f"{BENCH}/rgcn_entities.gnn", {"B": 30, "H": 16, "C": 2}, ENTITIES, 70.5),
    Accuracy("embedding", "aifb", f"{BENCH}/rgcn_embedding.gnn", {"F": 16, "H": 16, "C": 4}, ENTITIES),
    Accuracy("embedding", "mutag", f"{BENCH}/rgcn_embedding.gnn", {"F": 16, "H": 16, "C": 2}, ENTITIES),
    Accuracy("hgt", "aifb_typed", f"{BENCH}/hgt.gnn", {"F": 32, "H": 4, "D": 8, "C": 4},
             ["--epochs=50", "--optimizer=adam", "--rate=0.003", "--decay=5e-4"], 77.8),
]
FOLDS = Accuracy("gin", "mutag_tu", f"{BENCH}/gin_graph.gnn", {"H": 32, "C": 2}, ["--epochs=100", "--optimizer=adam", "--rate=0.01"])


@dataclass
class Speed:
    """A model that is timed on a generated graph. The gate: the largest step / evaluation, or the least PyTorch / ours."""
    name: str
    graph: str
    model: str
    dims: dict
    gate: float


TIMES = [
    Speed("gcn", "cora", f"{EXAMPLES}/gcn.gnn", {"H": 16, "C": 7}, 3.0),
    Speed("sage", "cora", f"{EXAMPLES}/sage.gnn", {"H": 64, "C": 7}, 3.0),
    Speed("gat", "cora", f"{EXAMPLES}/gat.gnn", {"H": 8, "D": 8, "C": 7}, 3.0),
    Speed("gcn", "flickr", f"{EXAMPLES}/gcn.gnn", {"H": 128, "C": 7}, 3.0),
    Speed("sage", "flickr", f"{EXAMPLES}/sage.gnn", {"H": 128, "C": 7}, 3.0),
    Speed("gat", "flickr", f"{EXAMPLES}/gat.gnn", {"H": 8, "D": 8, "C": 7}, 3.0),
]
for _graph in ("aifb", "bgs"):
    TIMES += [
        Speed("rgcn", _graph, f"{EXAMPLES}/rgcn.gnn", {"F": 32, "H": 32, "C": 4}, 3.5),
        Speed("rgat", _graph, f"{BENCH}/rgat.gnn", {"F": 32, "H": 4, "D": 8, "C": 4}, 3.5),
        Speed("hgt", _graph, f"{EXAMPLES}/hgt.gnn", {"F": 32, "H": 4, "D": 8, "C": 4}, 3.5),
    ]
PEERS = [
    Speed("b2", "flickr", f"{BENCH}/b2.gnn", {"C": 7}, 3.0),
    Speed("b6", "flickr", f"{BENCH}/b6.gnn", {"C": 7}, 7.0),
    Speed("rgat_layer", "fb15k", f"{BENCH}/rgat_layer.gnn", {}, 15.0),
]


def dims(sizes):
    """The sizes as options of gnnc."""
    return [f"--dim={name}={size}" for name, size in sizes.items()]
