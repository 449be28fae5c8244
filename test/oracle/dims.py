"""Symbolic dimensions: names in types, which the shapes of tensors bind to numbers.

`f32[F, H*C]` against [1433, 64] binds F; H*C waits until H or C is known. A dimension passed to a layer's parameter is the same Dim
in both frames, so that the layer's weights may bind the caller's name.
"""
from values import OracleError


class Dim:
    """An integer that may still be unknown."""

    def __init__(self, value=None):
        self.value = value


class Sizes:
    """The dimensions of a frame by name, and the truth of conditions there: None while it is unknown."""

    def __init__(self, interpreter, frame):
        self.interpreter, self.frame = interpreter, frame

    def __call__(self, name):
        return self.frame.dim(name)

    def choose(self, choice):
        """The expression that a choice stands for, or None."""
        try:
            return choice["yes" if self.interpreter.holds(choice["condition"], self.frame) else "no"]
        except (OracleError, TypeError):  # a dimension of the condition is unbound
            return None


def known(expression, dims):
    """The integer an expression stands for, or None while a name in it is unbound. `dims`: Sizes."""
    kind = expression["kind"]
    if kind == "choice":
        chosen = dims.choose(expression)
        return None if chosen is None else known(chosen, dims)
    if kind == "number":
        return int(expression["value"])
    if kind == "name":
        return dims(expression["name"]).value
    if kind == "unary":
        operand = known(expression["operand"], dims)
        return None if operand is None else -operand
    if kind == "call" and expression["callee"] in ("ceil", "floor"):
        quotient = expression["arguments"][0]["value"]
        left, right = known(quotient["left"], dims), known(quotient["right"], dims)
        rounded = None if left is None or right is None else left // right
        return rounded if rounded is None or expression["callee"] == "floor" else -(-left // right)
    if kind != "binary":
        raise OracleError(f"a dimension cannot be a {kind}")
    left, right = known(expression["left"], dims), known(expression["right"], dims)
    if left is None or right is None:
        return None
    op = expression["op"]
    if op == "/" and right and left % right:
        raise OracleError(f"dimension {left} / {right} is no integer")
    return {"+": left + right, "-": left - right, "*": left * right}[op] if op != "/" else left // right


def unify(expression, size, dims):
    """Makes the expression equal to the size. Returns False while more than one name is unbound."""
    have = known(expression, dims)
    if have is not None:
        if have != size:
            raise OracleError(f"dimension is {have} here and {size} there")
        return True
    kind = expression["kind"]
    if kind == "call":
        return False
    if kind == "choice":
        chosen = dims.choose(expression)
        return chosen is not None and unify(chosen, size, dims)
    if kind == "name":
        dims(expression["name"]).value = size
        return True
    if kind == "unary":
        return unify(expression["operand"], -size, dims)
    left, right, op = known(expression["left"], dims), known(expression["right"], dims), expression["op"]
    if left is None and right is None:
        return False
    if left is None:
        solved = {"+": size - right, "-": size + right, "*": size // right if right else 0, "/": size * right}[op]
        unify(expression["left"], solved, dims)
    else:
        solved = {"+": size - left, "-": left - size, "*": size // left if left else 0, "/": left // size}[op]
        unify(expression["right"], solved, dims)
    return unify(expression, size, dims)


def unify_shape(types, shape, dims):
    """Unifies each dimension; returns False while some wait for others."""
    if len(types) != len(shape):
        raise OracleError(f"rank {len(types)} is declared, the tensor has {list(shape)}")
    return all([unify(t, s, dims) for t, s in zip(types, shape)])
