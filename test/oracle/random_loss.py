"""A loss of a random model: the mean over rows of a bounded function of what it computes."""


def term(name, shape, variable=None):
    """The text of a number: a sum over the elements of a value, each with a factor of its own."""
    value = f"{variable}.{name}" if variable else name
    count = 1
    for size in shape:
        count *= size
    if not shape:
        return f"{value} / (1 + abs({value}))"
    flat = f"reshape({value}, [{count}])"
    return f"sum({flat} / (1 + abs({flat})) * (iota({count}) + 0.5))"


def add_loss(scope):
    """Declares a loss of the outputs that scope.case.outputs lists, as (domain, shape, text)."""
    terms = []
    for k, (domain, shape, text) in enumerate(scope.case.outputs):
        name = f"probe{k}"
        scope.emit(f"let {name} = {text};")
        if domain == "node":
            terms.append(f"mean(n in g.nodes: {term(name, shape, 'n')})")
        elif domain == "g":
            terms.append(f"mean(e in g.edges: {term(name, shape, 'e')})")
        elif domain == "plain":
            terms.append(term(name, shape))
        elif domain == "pergraph":
            terms.append(f"sum_all({term(name, shape)}) / max(num_rows({name}), 1)")
    scope.emit(f"loss total = {' + '.join(terms)};")
