"""The context of a statement: the names of one layer, and the loop around it."""
from dims import Dim
from values import OracleError, Value


class Loop:
    """The context of an expression inside a loop, which has one row per member of `domain`. `members` maps each loop variable to the node
        or edge that it means there: (kind, graph, index per row, or None for the row itself). `parts` maps an outer variable that runs over
        the nodes of one type to their domain."""

    def __init__(self, domain, graph, members, parts=None, variable=None):
        self.domain, self.graph, self.members, self.parts = domain, graph, members, parts or {}
        self.variable = variable

    def size(self):
        return self.graph.domain_size(self.domain)


class Function:
    """The value of a `function` or `reduction` parameter; `layer` where the function is a layer."""

    def __init__(self, name, layer=None):
        self.name, self.layer = name, layer


NONE = Function("none")  # the value `none`: an optional weight or argument that is absent


class Frame:
    """One instance of a layer, or the model: names, fields, dimensions, weight prefix."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.is_library = False  # an instance of a layer of the library
        self.scopes = [{}]
        self.fields = {}        # (domain, name) -> Value
        self.newer = {}         # name -> domains of parts that were assigned after the whole field
        self.clock = 0          # counts definitions of names and fields
        self.assigned = {}  # (domain, name) -> the clock when the field was assigned
        self.defined = {}  # name -> (the clock when it was defined, the loop it was declared in); inputs and parameters have no entry
        self.dims = {}          # name -> Dim
        self.last_loops = {}    # variable -> (domain, graph) of the last loop it ran in
        self.loops = []         # open loops, innermost last

    def dim(self, name):
        for scope in reversed(self.scopes):
            if isinstance(scope.get(name), Dim):
                return scope[name]
            if isinstance(scope.get(name), Value):  # the value of the index of a repeat
                return Dim(int(scope[name].rows[0][0]))
        return self.dims.setdefault(name, Dim())

    def tick(self):
        self.clock += 1
        return self.clock

    def define(self, name, value):
        """Defines the name of a `let`."""
        self.scopes[-1][name] = value
        self.defined[name] = self.tick(), self.loop()

    def find(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def assign(self, name, value):
        for scope in reversed(self.scopes):
            if name in scope:
                scope[name] = value
                self.defined[name] = self.tick(), self.defined.get(name, (0, None))[1]
                return
        raise OracleError(f"'{name}' is assigned before it is declared")

    def loop(self):
        return self.loops[-1] if self.loops else None
