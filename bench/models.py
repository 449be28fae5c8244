"""Random weights for the example models, with the names and shapes a trained PyTorch Geometric model has."""
import array
import json
import struct


def shapes(model, features, classes):
    """Tensor names and shapes of examples/<model>.gnn for an input width and a number of classes."""
    if model == "gcn":
        return {"conv1.lin.weight": [16, features], "conv1.bias": [16], "conv2.lin.weight": [classes, 16], "conv2.bias": [classes]}
    if model == "sgc":
        return {"conv1.lin.weight": [classes, features], "conv1.lin.bias": [classes]}
    if model == "sage":
        return {f"conv{k}.{name}": shape for k, i, o in ((1, features, 64), (2, 64, classes))
                for name, shape in (("lin_l.weight", [o, i]), ("lin_l.bias", [o]), ("lin_r.weight", [o, i]))}
    if model == "gin":
        return {f"conv{k}.{name}": shape for k, i, o in ((1, features, 64), (2, 64, classes))
                for name, shape in (("nn.0.weight", [64, i]), ("nn.0.bias", [64]), ("nn.2.weight", [o, 64]), ("nn.2.bias", [o]), ("eps", [1]))}
    return {f"conv{k}.{name}": shape for k, i, h, c in ((1, features, 8, 8), (2, 64, 1, classes))
            for name, shape in (("lin.weight", [h * c, i]), ("att_src", [1, h, c]), ("att_dst", [1, h, c]), ("bias", [h * c]))}


MODELS = ("gcn", "sgc", "sage", "gin", "gat")


def write_weights(path, model, features, classes, rng):
    """Writes a safetensors file of small random numbers."""
    header, data = {}, array.array("f")
    for name, shape in sorted(shapes(model, features, classes).items()):
        count = 1
        for d in shape:
            count *= d
        start = len(data) * 4
        data.extend(rng.uniform(-0.1, 0.1) for _ in range(count))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, len(data) * 4]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data.tobytes())
