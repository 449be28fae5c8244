"""Reductions of the language: sum(e in n.incoming: e.a), first(3, e in n.incoming by e.w: e.a), fold(...).

Members of a group are the edges at a node, the edges of one type at it, the nodes of a graph of a batch, or all nodes or edges.
`index` says for each member which group it belongs to.
"""
from collections import Counter

import functions
from frames import Function, Loop
from graphs import Graph
from values import INFINITE, OracleError, Value, aggregate, gather, lift, scalar, unit, volume
import values

MOST_STEPS = 1 << 24  # of a fold


class Groups:
    """The members over which a reduction runs: the loop over them, the group of each, the domain of the groups and their number, and what
        makes of a value per group one of the place of the reduction."""

    def __init__(self, loop, index, domain, count, bring):
        self.loop, self.index, self.domain, self.count, self.bring = loop, index, domain, count, bring

    def members(self):
        lists = [[] for _ in range(self.count)]
        for member, group in enumerate(self.index):
            lists[group].append(member)
        return lists


def is_between(q, numbers):
    """The quantile between its two neighbours."""
    place = q * (len(numbers) - 1)
    low = numbers[int(place)]
    high = numbers[min(int(place) + 1, len(numbers) - 1)]
    return low + (high - low) * (place - int(place)), high - low


def quantile_of(kind, q, numbers, errors):
    """The quantile of some numbers and its error: no number moves farther than the one that moves most."""
    if not numbers:
        return 0.0, 0.0
    ordered = sorted(numbers, key=lambda x: (x != x, x))
    if kind == "median":
        return ordered[(len(ordered) - 1) // 2], max(errors)
    result, gap = is_between(q, ordered)
    return result, max(errors) + 3 * abs(result) + (len(ordered) + 4) * abs(gap)


class Reductions:
    """The part of the interpreter that evaluates reductions."""

    def groups_of(self, e, frame):
        """Opens the members of a reduction."""
        domain = e["domain"]
        if domain["kind"] == "field" and domain["base"]["kind"] == "field" and domain["base"]["name"] == "graphs":
            graph = self.evaluate(domain["base"]["base"], frame)
            if not isinstance(graph, Graph):
                raise OracleError("only a graph has graphs")
            loop = Loop(graph.nodes, graph, {e["variable"]: (graph.nodes, graph, None)}, variable=e["variable"])
            batch = graph.batch if graph.batch is not None else [0] * graph.num_nodes
            return Groups(loop, batch, ("graph",), graph.num_graphs, lambda v: v)
        if not self.is_neighbours(domain):
            loop = self.open_loop(e["variable"], domain, frame)
            return Groups(loop, [0] * loop.size(), ("all",), 1, lambda v: Value(None, v.shape, v.rows, v.errors))
        edges = domain["base"] if domain["kind"] == "index" else domain
        is_relation = edges["base"]["kind"] == "field" and self.is_neighbours(edges["base"])  # n.incoming.writes
        at_node = edges["base"] if is_relation else edges
        place, graph, index = self.member(at_node["base"], frame)
        around = frame.loop()
        loop = self.open_loop(e["variable"], edges, frame)
        ends = (loop.graph if is_relation else graph).ends(at_node["name"].removesuffix("_edges"))
        if edges is not domain:  # a reduction over d in e.dst.incoming[e.type]
            ids, count = self.groups(graph, ends)
            return Groups(loop, ids, ("group", graph.name), count, lambda v: gather(v, ids, graph.edges))

        def bring(v):
            v = self.narrow(v, graph, place)
            return v if index is None else gather(v, index, around.domain)
        return Groups(loop, ends, graph.nodes, graph.num_nodes, bring)

    def on_reduce(self, e, frame):
        kind = frame.find(e["reduction"])
        kind = kind.name if isinstance(kind, Function) else e["reduction"]
        if kind == "fold":
            return self.fold_steps(e, frame) if e["domain"]["kind"] == "range" else self.fold_members(e, frame)
        members = self.known_members(e["domain"], frame)
        if members is not None:
            return self.reduce_known(kind, members, e, frame)
        groups = self.groups_of(e, frame)
        argument = self.evaluate(e["argument"], frame).rows[0][0] if "argument" in e else None
        frame.loops.append(groups.loop)
        body = lift(self.evaluate(e["body"], frame), groups.loop.domain, groups.loop.size())
        order, unsure = self.order_of(e, groups, frame)
        frame.loops.pop()
        if kind == "first":
            result = self.first(groups, body, int(argument), order, unsure)
        elif kind in ("median", "quantile"):
            result = self.quantiles(kind, argument, groups, body)
        else:
            result = aggregate(kind, body, groups.index, groups.count, groups.domain)
        return groups.bring(result)

    def known_members(self, domain, frame):
        """The members of 0..K, g.relations and g.node_types; None for other domains."""
        if domain["kind"] == "range":
            first, last = (self.evaluate(domain[k], frame).rows[0][0] for k in ("first", "last"))
            return [scalar(k) for k in range(int(first), int(last))]
        is_list = domain["kind"] == "field" and domain["name"] in ("relations", "node_types")
        return self.types_of(domain, frame) if is_list else None

    def reduce_known(self, kind, members, e, frame):
        result = scalar(kind == "prod")
        for i, member in enumerate(members):
            frame.scopes.append({e["variable"]: member})
            v = self.evaluate(e["body"], frame)
            frame.scopes.pop()
            if kind in ("max", "min"):
                result = functions.TABLE[kind](result, v) if i else v
            else:
                result = functions.binary("*" if kind == "prod" else "+", result, v) if i else v
        return functions.binary("/", result, scalar(len(members))) if kind == "mean" else result

    def order_of(self, e, groups, frame):
        """The members of each group in their order, and whether f32 may find another one: keys that are nearly equal."""
        members = groups.members()
        if "key" not in e:
            return members, [False] * groups.count
        key = lift(self.evaluate(e["key"], frame), groups.loop.domain, groups.loop.size())
        bounds = key.error_rows() if values.tracking else [[0.0]] * len(key.rows)
        order, unsure = [], []
        for group in members:
            ordered = sorted(group, key=lambda m: (key.rows[m][0] != key.rows[m][0], key.rows[m][0], m))
            near = any(not key.rows[b][0] - key.rows[a][0] > 2 * unit() * (bounds[a][0] + bounds[b][0])
                       and bounds[a][0] + bounds[b][0] > 0 for a, b in zip(ordered, ordered[1:]))
            order.append(ordered)
            unsure.append(near)
        return order, unsure

    @staticmethod
    def first(groups, body, count, order, unsure):
        size = volume(body.shape)
        bounds = body.error_rows() if values.tracking else None
        rows, errors = [], []
        for group, is_unsure in zip(order, unsure):
            kept = group[:count]
            rows.append([x for m in kept for x in body.rows[m]] + [0.0] * (size * (count - len(kept))))
            if values.tracking:
                row = [x for m in kept for x in bounds[m]] + [0.0] * (size * (count - len(kept)))
                errors.append([INFINITE] * len(row) if is_unsure else row)
        return Value(groups.domain, (count, *body.shape), rows, errors if values.tracking else None)

    @staticmethod
    def quantiles(kind, q, groups, body):
        size = volume(body.shape)
        bounds = body.error_rows() if values.tracking else [[0.0] * size] * len(body.rows)
        rows, errors = [], []
        for group in groups.members():
            pairs = [quantile_of(kind, q, [body.rows[m][j] for m in group], [bounds[m][j] for m in group]) for j in range(size)]
            rows.append([x for x, _ in pairs])
            errors.append([values.sanitize(e, x) for x, e in pairs])
        return Value(groups.domain, body.shape, rows, errors if values.tracking else None)

    # folds

    @staticmethod
    def replace_rows(state, rows, made, sources):
        """The state with some rows replaced: row rows[i] by row sources[i] of what was made."""
        out, bounds = list(state.rows), list(state.error_rows()) if values.tracking else None
        made_bounds = made.error_rows() if values.tracking else None
        for row, source in zip(rows, sources):
            out[row] = made.rows[source]
            if values.tracking:
                bounds[row] = made_bounds[source]
        return Value(state.domain, state.shape, out, bounds)

    def next_states(self, e, frame, states, domain, count):
        """Evaluates the body once with the states of all rows."""
        frame.scopes.append(dict(states))
        result = self.evaluate(e["body"], frame, many=True)
        frame.scopes.pop()
        result = result if isinstance(result, tuple) else (result,)
        return [lift(v, domain, count) for v in result]

    def fold_members(self, e, frame):
        names = [s["name"] for s in e["states"]]
        first = [self.evaluate(s["value"], frame) for s in e["states"]]
        groups = self.groups_of(e, frame)
        graph, loop = groups.loop.graph, groups.loop
        states = [lift(self.widen(v, graph) if v.domain else v, groups.domain, groups.count) for v in first]
        frame.loops.append(loop)
        order, unsure = self.order_of(e, groups, frame)
        for step in range(max(map(len, order), default=0)):
            here = [gather(v, groups.index, loop.domain) for v in states]
            made = self.next_states(e, frame, zip(names, here), loop.domain, loop.size())
            active = [g for g, members in enumerate(order) if len(members) > step]
            states = [self.replace_rows(v, active, m, [order[g][step] for g in active]) for v, m in zip(states, made)]
        frame.loops.pop()
        if values.tracking:
            for v in states:
                v.errors = [[INFINITE] * len(row) if is_unsure else row for row, is_unsure in zip(v.error_rows(), unsure)]
        result = tuple(groups.bring(v) for v in states)
        return result if len(result) > 1 else result[0]

    def fold_steps(self, e, frame):
        names = [s["name"] for s in e["states"]]
        first = [self.evaluate(s["value"], frame) for s in e["states"]]
        steps = self.evaluate(e["domain"]["last"], frame)
        frame.scopes.append({e["variable"]: values.scalar(0), **dict(zip(names, first))})
        read = self.evaluate(e["body"], frame, many=True)  # rows of the fold are those that its body reads
        frame.scopes.pop()
        domain, count = values.join_domains([*first, steps, *(read if isinstance(read, tuple) else (read,))])
        states = [lift(v, domain, count) for v in first]
        limits = [row[0] for row in lift(steps, domain, count).rows]
        step = 0
        while step < MOST_STEPS and any(step < limit for limit in limits):
            frame.scopes.append({e["variable"]: values.scalar(step)})
            made = self.next_states(e, frame, zip(names, states), domain, count)
            frame.scopes.pop()
            active = [row for row, limit in enumerate(limits) if step < limit]
            states = [self.replace_rows(v, active, m, active) for v, m in zip(states, made)]
            step += 1
        return tuple(states) if len(states) > 1 else states[0]
