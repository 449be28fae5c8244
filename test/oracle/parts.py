"""Nodes of one type as a domain of their own: for n in g.nodes.paper, input x.paper.

A field has a version for all nodes and may have newer versions for parts. A reader of all nodes sees the newer parts in it, and 0
at nodes of types that have none. A reader of a part sees the version of the part, or its rows of the version for all nodes. Where
a name was defined after the field, n.NAME means that name.
"""
from values import OracleError, Value, gather, volume


class ByType:
    """One value per node type name: `input x.paper` and `input x.author`, or a field of parts after its loops."""

    def __init__(self, graph, rows=None):
        self.graph, self.rows = graph, rows or {}


class NodeType:
    """The index of `repeat t in g.node_types`."""

    def __init__(self, graph, name):
        self.graph, self.name = graph, name


def unite(graph, rest, parts):
    """A value of all nodes: the rows of `rest` (None: zeros), with the rows of the parts in their places."""
    shape = parts[0].shape
    if any(v.shape != shape for v in [*parts, *([rest] if rest else [])]):
        raise OracleError("parts of different shapes are read as one")
    zeros = [0.0] * volume(shape)
    rows = list(rest.rows) if rest else [zeros] * graph.num_nodes
    errors = list(rest.error_rows()) if rest else [zeros] * graph.num_nodes
    for v in parts:
        for n, row, error in zip(graph.members(v.domain), v.rows, v.error_rows()):
            rows[n], errors[n] = row, error
    return Value(graph.nodes, shape, rows, errors)


class Parts:
    """The part of the interpreter that handles versions of fields."""

    @staticmethod
    def narrow(value, graph, domain):
        """The rows of a part, from a value of all nodes; values of other domains stay."""
        if value.domain != graph.nodes or domain == graph.nodes:
            return value
        return gather(value, graph.members(domain), domain)

    @staticmethod
    def widen(value, graph):
        return unite(graph, None, [value]) if ":" in value.domain[1] else value

    @staticmethod
    def unite_types(typed):
        return unite(typed.graph, None, list(typed.rows.values()))

    @staticmethod
    def type_name(graph, domain):
        return graph.type_names[int(domain[1].split(":")[1])]

    def fields_by_type(self, frame, graph, name):
        """The field n.NAME after its loops where only nodes of some types have it, else None."""
        domains = list(dict.fromkeys(frame.newer.get(name, [])))
        if not domains or (graph.nodes, name) in frame.fields or self.newest_name(frame, graph, graph.nodes, name):
            return None
        return ByType(graph, {self.type_name(graph, d): frame.fields[d, name] for d in domains})

    def has_rows(self, frame, graph, domain, name):
        """Whether a visible name can be read at the rows of the domain."""
        value, loop = frame.find(name), frame.defined.get(name, (0, None))[1]
        if isinstance(value, ByType):
            return domain[0] == "node" and (domain == graph.nodes or self.type_name(graph, domain) in value.rows)
        if not isinstance(value, Value) or value.domain is None or value.domain[0] != domain[0]:
            return False
        return value.domain in (domain, graph.nodes) or (loop is not None and domain[0] == "node")

    def newest_name(self, frame, graph, domain, name, loop=None):
        """Whether n.NAME means a visible name, because no field is newer; a name of a loop counts only for the loop's own variable."""
        defined, of_loop = frame.defined.get(name, (0, None))
        if not self.has_rows(frame, graph, domain, name) or of_loop not in (None, loop):
            return False
        about = [when for (d, n), when in frame.assigned.items()
                 if n == name and (d == domain or (d[0] == domain[0] == "node" and graph.nodes in (d, domain)))]
        return defined > max(about, default=-1)

    def write_field(self, frame, graph, domain, name, value):
        if ":" in domain[1]:
            self.keep_newest(frame, graph, domain, name)
            frame.newer.setdefault(name, []).append(domain)
        elif domain[0] == "node":
            self.forget_parts(frame, name)
        frame.fields[domain, name] = value
        frame.assigned[domain, name] = frame.tick()

    @staticmethod
    def forget_parts(frame, name):
        frame.newer.pop(name, None)
        for old in [d for d, n in frame.fields if n == name and ":" in d[1]]:
            del frame.fields[old, name]

    def keep_newest(self, frame, graph, domain, name):
        """Called before some nodes get a value of their own: the other nodes keep the values of the newest name."""
        if not self.newest_name(frame, graph, graph.nodes, name):
            return
        self.forget_parts(frame, name)
        value = frame.find(name)
        if not isinstance(value, ByType):
            frame.fields[graph.nodes, name] = value
            return
        for kind, rows in value.rows.items():
            if graph.part(kind) != domain:
                frame.fields[graph.part(kind), name] = rows
                frame.newer.setdefault(name, []).append(graph.part(kind))

    def read(self, frame, graph, domain, name, loop=None):
        """n.NAME at the rows of the domain: the field or the name, whichever is newer."""
        if self.newest_name(frame, graph, domain, name, loop):
            value = self.visible(frame, graph, domain, name)
            return self.widen(value, graph) if value.domain != domain else value
        value = self.read_field(frame, graph, domain, name)
        return self.visible(frame, graph, domain, name) if value is None else value

    def read_field(self, frame, graph, domain, name):
        """The version of a field that a reader of the domain sees, or None."""
        if domain == graph.nodes and frame.newer.get(name):
            parts = [frame.fields[d, name] for d in dict.fromkeys(frame.newer.pop(name))]
            frame.fields[domain, name] = unite(graph, frame.fields.get((domain, name)), parts)
        value = frame.fields.get((domain, name))
        if value is None and ":" in domain[1] and (graph.nodes, name) in frame.fields:
            value = self.narrow(frame.fields[graph.nodes, name], graph, domain)
        return value

    def visible(self, frame, graph, domain, name):
        """A name of the body, seen at the nodes of the domain."""
        value = frame.find(name)
        if isinstance(value, ByType):
            if domain == graph.nodes:
                return self.unite_types(value)
            if self.type_name(graph, domain) not in value.rows:
                raise OracleError(f"'{name}' has no value at {domain}")
            return value.rows[self.type_name(graph, domain)]
        return self.narrow(value, graph, domain) if isinstance(value, Value) and domain[0] == "node" else value
