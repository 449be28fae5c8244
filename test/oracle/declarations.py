"""Weights, inputs and dimensions: the declarations of a body, which are read from the two files before its statements run."""
import re

import functions
from dims import Dim, Sizes, known, unify_shape
from graphs import Graph, read_graph, read_rows, read_sparse
from parts import ByType, NodeType
from safetensors import Tensor
from values import OracleError, scalar

ROWS = {"node": "node", "edge": "edge", "etype": ("etype",), "ntype": ("ntype",), "pergraph": ("graph",),
        "tensor": None}


class Declarations:
    """The part of the interpreter that knows the files."""

    # all weights and inputs of a body come first, so that every dimension that they can bind is bound

    def declare(self, body, frame):
        waiting = []
        for s in body:
            if s["kind"] == "dim" and "value" in s:
                waiting.append(lambda s=s: self.declare_dim(s, frame))
            elif s["kind"] == "weight":
                value = self.read_weight(s, frame)
                if value is None:  # absent: do_weight defines its default where the statement stands
                    continue
                frame.scopes[-1][s["name"]] = value
                waiting.append(lambda s=s, v=value: unify_shape(s["type"].get("dims", []), v.shape, Sizes(self, frame)))
            elif s["kind"] == "graph":
                frame.scopes[-1][s["name"]] = graph = read_graph(s["name"], self.tensors, self.metadata)
                self.graph = graph
                graph.type_names = s.get("node_types", [])
                graph.relation_names, graph.relation_ends = s.get("edge_types", []), s.get("edge_ends", [])
        self.settle(waiting)
        waiting = []
        for s in body:
            if s["kind"] == "input":
                value = self.read_input(s, frame)
                if value is None:  # only the loss reads it
                    continue
                self.enter_input(s, value, frame)
                waiting.append(lambda s=s, v=value: unify_shape(s["type"].get("dims", []), v.shape, Sizes(self, frame)))
        self.settle(waiting)

    @staticmethod
    def settle(waiting):
        """Repeats until no more dimensions can be bound."""
        while waiting:
            left = [w for w in waiting if not w()]
            if len(left) == len(waiting):
                return
            waiting = left

    def declare_dim(self, s, frame):
        size = known(s["value"], Sizes(self, frame))
        if size is not None:
            frame.dim(s["name"]).value = size
        return size is not None

    def interpolate(self, text, frame):
        """A name like "layers.{k}" with the number of a repeat or a dimension in the place of {k}."""
        def number(match):
            value = frame.find(match[1])
            if match[2]:
                return value.end_types[match[2] == ".dst"]
            if isinstance(value, (Graph, NodeType)):
                return value.relation_name if isinstance(value, Graph) else value.name
            if value is None or isinstance(value, Dim):
                value = scalar(frame.dim(match[1]).value)
            return str(int(value.rows[0][0]))
        return re.sub(r"\{(\w+)(\.\w+)?\}", number, text)

    def stacked_names(self, s, frame):
        """The tensor of each type where the name of a weight per type contains {type}; else None."""
        name = s.get("from", s["name"])
        if s["type"]["kind"] not in ("etype", "ntype") or not re.search(r"\{type[.}]", name):
            return None
        if s["type"]["kind"] == "ntype":
            types = [{"type": t} for t in self.graph.type_names]
        else:
            ends = [e or (None, None) for e in self.graph.relation_ends]
            types = [{"type": t, "type.src": e[0], "type.dst": e[1]} for t, e in zip(self.graph.relation_names, ends)]
        return [self.interpolate(re.sub(r"\{(type(\.\w+)?)\}", lambda m, of=of: of[m[1]], name), frame) for of in types]

    def read_weight(self, s, frame):
        stacked = self.stacked_names(s, frame)
        if stacked:
            tensors = [self.weights[f"{frame.prefix}.{n}" if frame.prefix else n] for n in stacked]
            joined = Tensor(tensors[0].dtype, [len(tensors), *tensors[0].shape], [x for t in tensors for x in t.data])
            value = read_rows(joined, ROWS[s["type"]["kind"]], None)
            return functions.transpose(value) if s.get("is_transposed") else value
        names = [self.interpolate(n, frame) for n in [s.get("from", s["name"]), *s.get("older", [])]]
        names = [f"{frame.prefix}.{n}" if frame.prefix else n for n in names]
        name = next((n for n in names if n in self.weights), names[0])
        if name not in self.weights and "default_value" in s:
            return None
        if name not in self.weights and self.may_lack:
            return None
        if name not in self.weights:
            raise OracleError(f"weight '{name}' is not in the weights file")
        value = read_rows(self.weights[name], ROWS[s["type"]["kind"]], None)
        return functions.transpose(value) if s.get("is_transposed") else value

    @staticmethod
    def input_name(s):
        return f"{s['name']}.{s['node_type']}" if s.get("node_type") else s["name"]

    @staticmethod
    def enter_input(s, value, frame):
        if not s.get("node_type"):
            frame.scopes[-1][s["name"]] = value
            return
        graph = next(g for g in frame.scopes[-1].values() if isinstance(g, Graph))
        frame.scopes[-1].setdefault(s["name"], ByType(graph)).rows[s["node_type"]] = value

    def read_input(self, s, frame):
        field = s.get("from", self.input_name(s))
        if s["type"].get("element") == "i32":
            self.integers.add(self.input_name(s))
        rows = ROWS[s["type"]["kind"]]
        graph = next((g for scope in frame.scopes for g in scope.values() if isinstance(g, Graph)), None)
        domain = getattr(graph, f"{rows}s") if isinstance(rows, str) else rows
        if s.get("node_type"):
            domain = graph.part(s["node_type"])
        count = graph.domain_size(domain) if isinstance(rows, str) else None
        if f"{field}_indptr" in self.tensors:
            width = known(s["type"]["dims"][0], Sizes(self, frame))
            if width is None:
                width = int(self.metadata.get("num_features", max(self.tensors[f"{field}_indices"].data, default=0) + 1))
            return read_sparse(self.tensors, field, domain, width)
        source = self.tensors if field in self.tensors and not s.get("is_trained") else self.weights
        if field not in source and self.may_lack:
            return None
        if field not in source:
            raise OracleError(f"input '{field}' is in neither file")
        return read_rows(source[field], domain, count)
