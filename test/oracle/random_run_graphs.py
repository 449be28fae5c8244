"""Graphs that a model makes while it runs, from values that are exact in every arithmetic: whole numbers, of which equal ones are common.
So all programs choose the same edges, and ties are decided by the order of nodes."""
from random_programs import production
from random_scope import Leaf


def whole_numbers(scope):
    """The name of a node value of small whole numbers. `x` is an input: the same in f32 and f64."""
    name = scope.case.fresh("z")
    scope.emit(f"let {name} = clamp(round(x * {scope.rng.choice([1, 2, 4])}), -20, 20);")
    return name


def new_graph(scope, text):
    name = scope.case.fresh("g")
    scope.emit(f"let {name} = {text};")
    scope.graphs.append(name)
    return name


def allows(scope):
    if not scope.case.allows("run_graph") or len(scope.graphs) > 3:
        return False
    scope.case.tag("run_graph")
    return True


@production(3, "model")
def near_graph(scope):
    if not allows(scope):
        return
    rng, z = scope.rng, whole_numbers(scope)
    loop = rng.choice(["", ", loop = true", ", loop = false"])
    if rng.random() < 0.3:
        scope.case.tag("near_among")
        loop += f", among = sum({whole_numbers(scope)}) > 0"
    if rng.random() < 0.6:
        scope.case.tag("knn")
        graph = new_graph(scope, f"knn_graph({rng.choice(scope.graphs)}, {z}, {rng.choice([1, 2, 3, 8, 50])}{loop})")
    else:
        scope.case.tag("radius")
        most = rng.choice(["", ", max_neighbours = 1", ", max_neighbours = 5"])
        graph = new_graph(scope, f"radius_graph({rng.choice(scope.graphs)}, {z}, {rng.choice(['1.5', '0.5', '7.25', '0'])}{loop}{most})")
    if rng.random() < 0.4:
        scope.case.tag("loops_at_run")
        mode = rng.choice(["add_remaining_self_loops", "keep_one_self_loop", "replace_self_loops", "remove_self_loops"])
        graph = rng.choice([graph, graph, f"reverse({graph})"])
        new_graph(scope, f"{mode}({graph})")


@production(2, "model")
def chosen_nodes(scope):
    if not allows(scope):
        return
    scope.case.tag("top_k")
    rng, z, mask = scope.rng, whole_numbers(scope), scope.case.fresh("m")
    ratio = rng.choice(["", ", 0.8", ", ratio = 0.3", ", 1", ", 5"])
    scope.emit(f"let {mask} = top_k({rng.choice(scope.graphs)}, sum({z}){ratio});")
    if rng.random() < 0.3:
        again = scope.case.fresh("m")
        scope.emit(f"let {again} = top_k({rng.choice(scope.graphs)}, min({z}), 0.5, among = {mask});")
        mask = again
    scope.values["node"].append(Leaf(mask, ()))
    if rng.random() < 0.7:
        scope.case.tag("induced")
        base = rng.choice(scope.graphs)
        graph = new_graph(scope, f"induced_subgraph({base}, {mask})")
        if scope.edge_values.get(base) and rng.random() < 0.7:
            longer, leaf = scope.case.fresh("x"), rng.choice(scope.edge_values[base])
            scope.emit(f"let {longer} = extend_edges({graph}, {leaf.text});")
            scope.edge_values.setdefault(graph, []).append(Leaf(longer, leaf.shape))
