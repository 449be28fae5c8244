"""Passes over the graph level keep the values of a model: every function of a file gives the same results on a small random graph before
and after a pipeline. Arguments: gnn-opt, the file, the arguments of gnn-opt that run the pipeline; or --files and the two texts.

The evaluator of the gnn dialect follows its documentation, row by row, in double, and is independent of every lowering."""
import math
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "oracle"))
sys.dont_write_bytecode = True
import elementwise  # noqa: E402  (after the change of sys.path)

NODES, TYPES, TOLERANCE = 7, 2, 1e-9
EDGES = [(0, 1), (1, 0), (2, 1), (3, 1), (3, 3), (4, 2), (5, 2), (2, 5), (2, 5), (0, 4)]  # node 6 has no edge

OPERATION = re.compile(r'%([\w.]+) = "gnn\.(\w+)"\(([^)]*)\)(?: \{(.*?)\})? : \(.*\) -> (.*)$')
LOAD = re.compile(r"%([\w.]+) = ml_program\.global_load_const @(\S+) : (.*)$")
OPERATIONS = {row.kind: row for row in elementwise.BINARY.values()}  # where functions share an operation, one of them


def shape_of(text):
    """The payload of a type: f32 is [], tensor<8x4xf32> is [8, 4]."""
    dims = re.search(r"tensor<((?:\d+x)+)f32>", text)
    return [int(d) for d in dims.group(1).split("x")[:-1]] if dims else []


def domain_of(text):
    found = re.match(r'!gnn\.(\w+)<"([\w.]+)"', text)
    return (found.group(1), found.group(2)) if found else ("plain", "")


def edges_of(name):
    edges = list(EDGES)
    for step in name.split(".")[1:]:
        have = {s for s, d in edges if s == d}
        if step == "replace":
            edges = [e for e in edges if e[0] != e[1]] + [(n, n) for n in range(NODES)]
        else:
            edges += [(n, n) for n in range(NODES) if n not in have]
    return edges


def rows_of(domain):
    kind, name = domain
    return {"node": NODES, "sparse": NODES, "edge": len(edges_of(name)) if kind == "edge" else 0, "per": TYPES, "plain": 1}[kind]


class Value:
    """Rows of flat payloads; a plain value has a single row."""

    def __init__(self, domain, shape, rows):
        self.domain, self.shape, self.rows = domain, shape, rows

    def row(self, i):
        return self.rows[i if self.domain[0] != "plain" else 0]


def random_value(text, generator):
    domain, shape = domain_of(text), shape_of(text)
    if domain[0] == "graph":
        return domain[1]
    low = generator.choice([0.1, -1.5])
    return Value(domain, shape, [[generator.uniform(low, 2.0) for _ in range(math.prod(shape))] for _ in range(rows_of(domain))])


def spread(x, shape, to):
    """A payload repeated along trailing dimensions (leading dimensions align)."""
    times = math.prod(to[len(shape):])
    return [v for v in x for _ in range(times)]


def matmul(x, xs, w, ws, transposed):
    """[..., K] @ [K, N], or a batch of them."""
    rows, cols = (ws[-1], ws[-2]) if transposed else (ws[-2], ws[-1])
    batch, out = len(ws) == len(xs) + 1 and len(xs) > 1, []
    for r in range(math.prod(xs[:-1])):
        base = r * rows * cols if batch else 0
        for n in range(cols):
            at = (lambda k: base + n * rows + k) if transposed else (lambda k: base + k * cols + n)
            out.append(sum(x[r * rows + k] * w[at(k)] for k in range(rows)))
    return out


def softmax(values, is_log):
    most = max(values)
    total = sum(math.exp(v - most) for v in values)
    return [v - most - math.log(total) if is_log else math.exp(v - most) / total for v in values]


def reduce_list(values, how):
    if not values:
        return 0.0
    return {"sum": sum, "mean": lambda v: sum(v) / len(v), "max": max, "min": min}[how](values)


class Evaluator:
    def __init__(self, weights):
        self.weights = weights

    def attributes(self, text):
        """The attributes: name -> text of the value; True for a flag."""
        found = {}
        for name, string, array, other in re.findall(r'([\w.]+)(?: = (?:"([^"]*)"|array<\w+: ([^>]*)>|([^,]*)))?(?:, |$)', text or ""):
            found[name] = string or (array and [int(v) for v in array.split(",")]) or other or True
        if re.search(r"shape = array<i64>", text or ""):
            found["shape"] = []
        return found

    def activate(self, rows, attrs, key):
        if key not in attrs:
            return rows
        function = elementwise.UNARY[attrs[key]]
        numbers = [float(attrs[n].split()[0]) if n in attrs else fallback for n, fallback in function.numbers]
        return [[function.apply(x, *numbers) for x in row] for row in rows]

    def evaluate(self, kind, args, attrs, result):
        domain, shape = domain_of(result), shape_of(result)
        if kind == "edge_set":
            return domain[1]
        if kind == "constant":
            return Value(domain, [], [[float(attrs["value"].split()[0])]])
        graph_op = getattr(self, "do_" + kind, None)
        rows = graph_op(args, attrs, domain, shape) if graph_op else [self.payload(kind, i, args, attrs, shape) for i in range(rows_of(domain))]
        return Value(domain, shape, self.activate(rows, attrs, "activation"))

    def do_degree(self, args, attrs, domain, shape):
        end = 1 if attrs["direction"] == "in" else 0
        return [[float(sum(e[end] == n for e in edges_of(args[0])))] for n in range(NODES)]

    def do_gather(self, args, attrs, domain, shape):
        return [args[1].rows[e[attrs["end"] == "dst"]] for e in edges_of(args[0])]

    def do_slice(self, args, attrs, domain, shape):
        return [args[1].rows[i % TYPES] for i in range(rows_of(domain))]

    def do_extend_edges(self, args, attrs, domain, shape):
        """new loops follow the other edges"""
        fill, kept = float(attrs["fill"].split()[0]), args[1].domain[1]
        rows = [args[1].rows[i] for i, e in enumerate(edges_of(kept)) if e[0] != e[1] or not args[0].endswith("replace")]
        return rows + [[fill] * math.prod(shape)] * (len(edges_of(args[0])) - len(rows))

    def do_restrict_edges(self, args, attrs, domain, shape):
        kept = [i for i, e in enumerate(edges_of(domain[1])) if e[0] != e[1] or not args[0].endswith("replace")]
        rows = [[0.0] * math.prod(shape) for _ in edges_of(domain[1])]
        for i, row in zip(kept, args[1].rows):
            rows[i] = row
        return rows

    def do_pool(self, args, attrs, domain, shape):
        groups = [args[1].rows[b::TYPES] for b in range(TYPES)]
        return [[reduce_list([row[k] for row in rows], attrs["reduce"]) for k in range(math.prod(shape))] for rows in groups]

    def do_aggregate(self, args, attrs, domain, shape):
        own, other, rows = (1, 0, []) if attrs["direction"] == "in" else (0, 1, [])
        value, weight = args[1], args[2] if len(args) > 2 else None
        for n in range(NODES):
            columns = []
            for i, edge in enumerate(edges_of(args[0])):
                if edge[own] != n:
                    continue
                row = value.rows[i if value.domain[0] == "edge" else edge[other]]
                if weight:
                    row = [a * b for a, b in zip(row, spread(weight.rows[i], weight.shape, value.shape))]
                columns.append(row)
            rows.append([reduce_list([c[k] for c in columns], attrs["reduce"]) for k in range(math.prod(shape))])
        return rows

    def payload(self, kind, i, args, attrs, shape):
        rows, shapes = [a and a.row(i) for a in args], [a and a.shape for a in args]
        x, s = rows[0], shapes[0]
        if kind in OPERATIONS or kind == "select":
            wide = [spread(r, sh, shape) for r, sh in zip(rows, shapes)]
            if kind == "select":
                return [a if c else b for c, a, b in zip(*wide)]
            named = attrs.get("predicate", attrs.get("function"))
            function = elementwise.BINARY[named] if named else OPERATIONS[kind]
            return [function.apply(a, b) for a, b in zip(*wide)]
        if kind == "activation":
            return self.activate([x], attrs, "function")[0]
        if kind == "linear":
            out = matmul(x, s, rows[1], shapes[1], "transposed" in attrs)
            for term, width in ((rows[2], shape[-1]), (rows[3], len(out))):
                out = [v + term[k % width] for k, v in enumerate(out)] if term else out
            return out
        if kind == "vector_inner":
            full = s if len(s) > len(shapes[1]) else shapes[1]
            a, b = (self.along_heads(r, sh, full) for r, sh in zip(rows, shapes))
            return [sum(a[r * full[-1] + k] * b[r * full[-1] + k] for k in range(full[-1])) for r in range(math.prod(shape))]
        if kind == "batch_norm":
            at, epsilon = s[-1], float(attrs["epsilon"].split()[0])
            mean, variance, gamma, beta = rows[1:]
            return [(v - mean[k % at]) / (max(variance[k % at] + epsilon, 0.0) ** 0.5 or math.nan) * gamma[k % at] + beta[k % at] for k, v in enumerate(x)]
        if kind in ("row_normalize", "densify"):
            return [v / (sum(x) or 1.0) for v in x] if kind == "row_normalize" else x
        if kind == "reduce":
            return [reduce_list(x[r * s[-1]:(r + 1) * s[-1]], attrs["function"]) for r in range(math.prod(shape))]
        if kind == "softmax":
            return [v for r in range(math.prod(s[:-1])) for v in softmax(x[r * s[-1]:(r + 1) * s[-1]], "log" in attrs)]
        if kind == "argmax":
            parts = [x[r * s[-1]:(r + 1) * s[-1]] for r in range(math.prod(shape))]
            return [float(part.index(max(part))) for part in parts]
        if kind == "concat":
            m, n = s[-1], shapes[1][-1]
            return [v for r in range(math.prod(s[:-1])) for v in x[r * m:(r + 1) * m] + rows[1][r * n:(r + 1) * n]]
        if kind == "reshape":
            return x
        if kind == "transpose":
            m, n = s[-2:]
            return [x[b * m * n + r * n + c] for b in range(math.prod(s[:-2])) for c in range(n) for r in range(m)]
        if kind == "outer":
            return [a * b for a in x for b in rows[1]]
        raise ValueError(f"gnn.{kind} is not evaluated")

    def along_heads(self, x, shape, full):
        """[K] beside [H, K] is the same for every head."""
        return x * math.prod(full[:-1]) if len(shape) == 1 else x

    def run(self, body, arguments):
        values = dict(arguments)
        for line in body:
            load, op = LOAD.match(line), OPERATION.match(line)
            if load:
                values[load.group(1)] = self.weights(load.group(2), load.group(3))
            elif op:
                name, kind, operands, attributes, result = op.groups()
                attrs = self.attributes(attributes)
                args = [values[a[1:]] for a in operands.split(", ") if a]
                sizes = iter(attrs.get("operandSegmentSizes", []))
                if "operandSegmentSizes" in attrs:
                    rest = iter(args)
                    args = [next(rest) if present else None for present in sizes]
                values[name] = self.evaluate(kind, args, attrs, result)
            elif line.startswith("return"):
                return [values[v] for v in re.findall(r"%([\w.]+)", line.split(" : ")[0])]
        return []


def functions(text):
    """The functions: name -> (arguments as (name, type, attributes), result names, body lines)."""
    found = {}
    for part in re.split(r"\n\s*func\.func ", text)[1:]:
        head, *body = part.split("\n")
        name, rest = re.match(r"@([\w.]+)\((.*)$", head).groups()
        arguments, _, results = rest.partition(") -> ")
        pattern = r'%([\w.]+): ((?:![\w.]+<(?:[^<>]|<[^<>]*>)*>|tensor<[^>]*>|f32))(?: \{([^}]*)\})?'
        names = re.findall(r'gnn\.name = "([^"]*)"', results)
        found[name] = (re.findall(pattern, arguments), names, [line.strip() for line in body])
    return found


def flat(value):
    return [x for row in value.rows for x in row] if isinstance(value, Value) else []


def evaluate_file(text, inputs, weights):
    """Evaluates the functions: name -> results. @m.bind and @m.run together are the function @m."""
    evaluator, everything, results = Evaluator(weights), functions(text), {}
    for name, (arguments, _, body) in everything.items():
        if name.endswith(".bind"):
            continue
        model, bound = name.removesuffix(".run"), {}
        if name.endswith(".run"):
            bind_arguments, names, bind_body = everything[model + ".bind"]
            graphs = iter([v for v in inputs(model, None) if isinstance(v, str)])
            bound = dict(zip(names, evaluator.run(bind_body, {a[0]: next(graphs) for a in bind_arguments})))
        given, values = iter(inputs(model, [a[1] for a in arguments])), {}
        for argument, _, attributes in arguments:
            field = re.search(r'gnn\.name = "([^"]*)"', attributes)
            values[argument] = bound[field.group(1)] if "gnn.bound" in attributes else next(given)
        results[model] = evaluator.run(body, values)
    return results


def main():
    opt, path, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
    if opt == "--files":
        before, after = (open(name, encoding="utf-8").read() for name in (path, arguments[0]))
    else:
        before, after = (subprocess.run([opt, path] + more, check=True, capture_output=True, text=True).stdout for more in ([], arguments))
    generator, made, loaded = random.Random(7), {}, {}

    def inputs(name, types):
        if name not in made:
            made[name] = [random_value(t, generator) for t in types]
        return made[name]

    def weights(symbol, text):
        if symbol not in loaded:
            loaded[symbol] = random_value(text, generator)
        return loaded[symbol]

    expected, found = evaluate_file(before, inputs, weights), evaluate_file(after, inputs, weights)
    problems = 0 if expected else 1
    for name, values in expected.items():
        a, b = [x for v in values for x in flat(v)], [x for v in found[name] for x in flat(v)]
        same = len(a) == len(b) and all(x == y or x != x and y != y or abs(x - y) <= TOLERANCE * max(1, abs(x)) for x, y in zip(a, b))
        problems += not same
        print(f"@{name}: {len(a)} numbers {'agree' if same else 'differ'}")
    sys.exit(problems > 0)


main()
