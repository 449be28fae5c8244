"""The models and graphs of bench/devices.py: every trained model of --shared, and three graphs without trained weights, whose times alone are simulated."""
import dataclasses
import glob
import os
import random

import tensors

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Entries of the features of Pubmed, and of a vocabulary that is as large; the file of --shared has the features of some nodes alone
PUBMED_ENTRIES, PUBMED_WORDS = 988031, 500


@dataclasses.dataclass
class Case:
    """One model on one graph."""
    model: str
    graph_name: str
    graph: str
    weights: str
    sizes: str  # "1433-16-7, sparse features": columns of the input and of the layers that have a bias
    is_trained: bool

    @property
    def name(self):
        return f"{self.model} {self.graph_name}"

    @property
    def source(self):
        return f"{ROOT}/examples/{self.model}.gnn"

    @property
    def options(self):
        return [self.source, f"--graph={self.graph}", f"--weights={self.weights}"]


def trained(shared):
    """A case for each file <graph>_<model>.safetensors of trained weights."""
    made = []
    for path in sorted(glob.glob(f"{shared}/data/weights/*.safetensors")):
        stem = os.path.basename(path)[:-len(".safetensors")]
        for at in (i for i, c in enumerate(stem) if c == "_"):
            graph, model = f"{shared}/data/graphs/{stem[:at]}.safetensors", stem[at + 1:]
            if os.path.exists(graph) and os.path.exists(f"{ROOT}/examples/{model}.gnn"):
                made.append(Case(model, stem[:at], graph, path, "", True))
    return made


def random_weights(path, shapes):
    """A file of small random numbers."""
    rng, parts = random.Random(1), []
    for name, shape in shapes.items():
        count = 1
        for d in shape:
            count *= d
        parts.append((name, "F32", shape, tensors.uniform(count, 0.1, rng)))
    tensors.write(path, parts)
    return path


def gcn_shapes(features, hidden, classes):
    return {"conv1.lin.weight": [hidden, features], "conv1.bias": [hidden], "conv2.lin.weight": [classes, hidden], "conv2.bias": [classes]}


def rgcn_shapes(nodes, types, features, hidden, classes):
    return {"node_emb.weight": [nodes, features], "conv1.weight": [types, features, hidden], "conv1.root": [features, hidden], "conv1.bias": [hidden],
            "conv2.weight": [types, hidden, classes], "conv2.root": [hidden, classes], "conv2.bias": [classes]}


def timed(shared, out):
    """Citeseer and FB15k-237 as they are; Pubmed with its edges and as many entries of the features as it has, at random places."""
    graphs = f"{shared}/data/graphs"
    pubmed = f"{out}/pubmed.safetensors"
    if not os.path.exists(pubmed):
        tensors.replace_features(f"{graphs}/pubmed_structure.safetensors", pubmed, 19717, PUBMED_WORDS, PUBMED_ENTRIES)
    return [Case("gcn", "citeseer", f"{graphs}/citeseer.safetensors", random_weights(f"{out}/citeseer_gcn.safetensors", gcn_shapes(3703, 16, 6)), "", False),
            Case("gcn", "pubmed", pubmed, random_weights(f"{out}/pubmed_gcn.safetensors", gcn_shapes(PUBMED_WORDS, 16, 3)), "", False),
            Case("rgcn", "fb15k_237", f"{graphs}/fb15k_237.safetensors", random_weights(f"{out}/fb15k_rgcn.safetensors", rgcn_shapes(14541, 474, 32, 16, 8)), "", False)]


def karate(tools, out):
    """The trained GCN of the karate club, which needs no --shared."""
    paths = {name: f"{out}/{name}.safetensors" for name in ("karate", "karate_gcn")}
    for name, path in paths.items():
        tools.run("gnn-data", "convert", f"{ROOT}/examples/karate/{name}.txt", "-o", path)
    return Case("gcn", "karate", paths["karate"], paths["karate_gcn"], "", True)
