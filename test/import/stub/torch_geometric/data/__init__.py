"""Data: fields of one graph, or of a batch of graphs."""


class Data:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def to_dict(self):
        return dict(self.__dict__)

    @property
    def num_nodes(self):
        return self.x.shape[0] if getattr(self, "x", None) is not None else int(self.edge_index.max()) + 1

    @property
    def num_edges(self):
        return self.edge_index.shape[1]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None


class Batch(Data):
    pass


class Storage(dict):
    """The fields of one type."""
    __getattr__, __setattr__ = dict.get, dict.__setitem__

    @property
    def num_nodes(self):
        return len(self["x"])


class HeteroData:
    """Fields by type: data["paper"].x, data["author", "writes", "paper"].edge_index."""

    def __init__(self):
        self.stores = {}

    def __getitem__(self, *kind):
        return self.stores.setdefault(kind[0], Storage())

    def metadata(self):
        return self.node_types, self.edge_types

    def collect(self, name):
        return {kind: store[name] for kind, store in self.stores.items() if name in store}

    x_dict = property(lambda self: self.collect("x"))
    edge_index_dict = property(lambda self: self.collect("edge_index"))
    edge_attr_dict = property(lambda self: self.collect("edge_attr"))
    node_types = property(lambda self: [k for k in self.stores if isinstance(k, str)])
    edge_types = property(lambda self: [k for k in self.stores if isinstance(k, tuple)])
