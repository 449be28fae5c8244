"""A Python interpreter of programs of the toy, for comparison with the simulator: it decodes `add` by the bits of toy.def and
executes host steps with steps_reference.py."""
import os
import re

from host_reference import read_array, write_arrays
from image import Fault, Image  # noqa: F401  (Fault is what callers catch)
from steps_reference import NAN, Steps, add

HERE = os.path.dirname(os.path.abspath(__file__))
UNITS = 64


def fields():
    with open(os.path.join(HERE, "isa", "toy.def"), encoding="utf-8") as f:
        return {name: (int(low), int(width)) for name, low, width in re.findall(r"^FIELD\(add, (\w+), (\d+), (\d+)", f.read(), re.M)}


def run_image(path, graph, fill=NAN):
    with open(path, "rb") as f:
        image = Image(f.read(), fill)
    code, bits = image.sections[".text"].data, fields()

    def run(first, end):
        for at in range(16 * first, 16 * end, 16):
            word = int.from_bytes(code[at:at + 16], "little")
            insn = {name: word >> low & (1 << width) - 1 for name, (low, width) in bits.items()}
            a, b = (image.floats(insn[k] * UNITS, insn["count"] + 1) for k in "ab")
            image.put_floats(insn["out"] * UNITS, [add(x, y) for x, y in zip(a, b)])

    def peek(place, array):
        return image.floats(place["address"], array.rows * array.width)

    def poke(place, array):
        image.put_floats(place["address"], array.data)

    lists = image.sections[".gnnc.lists"].data if ".gnnc.lists" in image.sections else b""
    image.steps = Steps(image.manifest, lists, run, peek, poke)
    write_arrays(image, image.steps, graph)
    image.steps.execute()
    return image


def read_outputs(image):
    """The outputs: name -> flat list in the user's order of rows."""
    return {t["name"]: read_array(image, image.steps, t) for t in image.manifest["outputs"]}
