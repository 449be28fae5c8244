"""Symbolic dimensions: names in types, which the shapes of tensors bind to numbers.

`f32[F, H*C]` against [1433, 64] binds F; H*C waits until H or C is known. A dimension passed to a layer's parameter is the same Dim
in both frames, so that the layer's weights may bind the caller's name.
"""
from values import OracleError


class Dim:
    """An integer that may still be unknown."""

    def __init__(self, value=None):
        self.value = value


def known(expression, dims):
    """The integer an expression stands for, or None while a name in it is unbound. `dims`: name -> Dim."""
    kind = expression["kind"]
    if kind == "number":
        return int(expression["value"])
    if kind == "name":
        return dims(expression["name"]).value
    if kind == "unary":
        operand = known(expression["operand"], dims)
        return None if operand is None else -operand
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
