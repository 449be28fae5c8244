"""What shares memory in PyTorch. Values have no memory here: an operation in place makes its operand another value, which all of its names see.
Views of it, and what it is a view of, have changed as well in PyTorch; they are marked, and reading them is refused."""
from gnnc_trace import first_value, is_value

# operators that change their first operand; methods that do end with "_"
IN_PLACE = {"iadd", "isub", "imul", "itruediv", "iand", "ior", "ixor"}
# functions whose results share memory with their first argument
VIEWS = set("view view_as reshape flatten unflatten squeeze unsqueeze permute transpose t getitem chunk split tensor_split narrow select unbind "
            "expand expand_as swapaxes movedim".split())


def after(program, name, args, result):
    """The result of a call, once it is noted what shares memory with what."""
    x, plain = args[0], name.strip("_")
    if not is_value(x) or x.domain in ("edges", "index"):
        return result
    if is_value(result) and (name in IN_PLACE or name.endswith("_") and not name.startswith("_")):
        line = program.line()
        invalidate(x, f" at {line}" if line else "")
        return x.become(result)
    is_copy = plain == "getitem" and first_value(args[1:]) is not None      # rows at computed indices
    if plain in VIEWS and not is_copy:
        share(x, result, program.count())
    return result


def share(x, made, call):
    """Notes that values are views of x. Views of one call, as those of split, are apart from each other."""
    for v in made if isinstance(made, (list, tuple)) else [made]:
        if is_value(v) and v is not x:
            v.view_of, v.view_call = x, call


def chain(v):
    """A value, what it is a view of, and so on."""
    while v is not None:
        yield v
        v = v.view_of


def invalidate(x, where):
    """Marks all other values whose memory overlaps that of x, which an operation in place changes."""
    own = list(chain(x))
    for v in x.program.values:
        others = list(chain(v))
        are_apart = any(a is not b and a.view_call == b.view_call is not None for a in own for b in others)
        if others[-1] is own[-1] and v is not x and not are_apart:
            v.stale = f"a value is read that shares memory with one that was changed in place{where}; change a clone() instead"
    x.view_of = x.view_call = None
