"""What a forward means in training: which of its parts the trace follows, and which it refuses, because their gradients would not be those of
PyTorch."""
import contextlib

import torch

from gnnc_ops import Refused

ONLY_HALF = ("feature_dropout", "alpha_dropout", "feature_alpha_dropout")     # other distributions than dropout's


@contextlib.contextmanager
def mode(model, is_training):
    """The model as it is in training, or in evaluation and without gradients."""
    if is_training:
        with torch.enable_grad():
            yield
        return
    training = [m for m in model.modules() if m.training]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for m in training:
            m.training = True


def check(name, args, kwargs):
    """Refuses what has another gradient, or another result, in training."""
    if not torch.is_grad_enabled():
        raise Refused("a part of forward without gradients (torch.no_grad)")
    if name == "detach":
        raise Refused("detach(), behind which there is no gradient")
    if name in ONLY_HALF and kwargs.get("training", args[2] if len(args) > 2 else True):
        raise Refused(f"{name}() in training; dropout() would do")
    statistics = args[1] if len(args) > 1 else kwargs.get("running_mean")
    if name == "batch_norm" and statistics is not None and kwargs.get("training", args[5] if len(args) > 5 else False):
        raise Refused("running statistics in another form than a BatchNorm with weight and bias")


def check_constant(tensor):
    """Refuses a tensor with a gradient that the trace knows nothing of."""
    if tensor.requires_grad:
        raise Refused(f"a tensor {list(tensor.shape)} that has a gradient and is no parameter of the model")


def is_followed(m, kind, row):
    """Whether a module is followed into its forward, because the layer of the library is another one in training. `row`: its gnnc_layers.Row, or
    None."""
    if kind == "BatchNorm1d":
        if m.training and m.track_running_stats and m.momentum != 0.1:
            raise Refused(f"momentum = {m.momentum} in training; expected 0.1")
        return not m.training
    if isinstance(getattr(m, "eps", None), torch.nn.Parameter):
        return True                                      # the library's eps of GIN is frozen
    if kind == "InstanceNorm" and m.training and getattr(m, "running_mean", None) is not None:
        raise Refused("running statistics of an InstanceNorm in training")
    p = getattr(m, "dropout", 0)
    p = getattr(p, "p", p)
    if not m.training or not isinstance(p, (int, float)) or not p:
        return False
    if row and "attention_dropout" in row.text:
        return False                                     # the library's layer drops attention, too
    if not row:
        raise Refused(f"dropout inside of {kind} in training; dropout = 0 would do")
    return True
