"""Interprets programs of the machine host, which consist of host steps (steps_reference.py)."""
from image import Fault, Image, orders, read_field  # noqa: F401  (Fault is what callers catch)
from steps_reference import NAN, Steps


def run_image(path, graph, fill=NAN):
    """Runs an image on the inputs of a graph; returns the image with its arrays."""
    with open(path, "rb") as f:
        image = Image(f.read(), fill)
    image.steps = Steps(image.manifest, image.sections[".gnnc.lists"].data if ".gnnc.lists" in image.sections else b"")
    write_arrays(image, image.steps, graph)
    image.steps.execute()
    return image


def write_arrays(image, steps, graph):
    """Copies the inputs to the arrays of the host."""
    for t in image.manifest["inputs"]:
        if "array" not in t:
            continue
        user, width = read_field(graph, t["from"], t["width"]), t["width"]
        steps.arrays[t["array"]].data = [x for u in orders(image, t) for x in user[u * width:(u + 1) * width]]


def read_array(image, steps, t):
    """An output that is an array of the host, as a flat list in the user's order."""
    width, data = t["width"], [0.0] * (t["rows"] * t["width"])
    for r, u in enumerate(orders(image, t)):
        data[u * width:(u + 1) * width] = steps.arrays[t["array"]].row(r)
    return data


def read_outputs(image):
    """The outputs: name -> flat list in the user's order."""
    return {t["name"]: read_array(image, image.steps, t) for t in image.manifest["outputs"]}
