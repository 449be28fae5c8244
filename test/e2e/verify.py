"""gnn-run --verify finds one flipped bit in generated code, in an image and in a weight.

    python3 verify.py [--bin build/bin]

The GCN of examples/karate is compiled for C and for GraphAGILE. In each file bits are flipped one at a time, in a fixed order, until some
of them change the outputs without being refused; --verify must find each of these. Unchanged programs must agree.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile

from programs import LIMIT_SECONDS, ROOT, Tools

KARATE = os.path.join(ROOT, "examples", "karate")
WANTED = 2  # flipped bits of each section that change outputs


def section(data, name):
    """Returns offset and size of a section of an ELF file."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    for row in rows:
        at = rows[names][4] + row[0]
        if data[at:data.index(b"\0", at)] == name.encode():
            return row[4], row[5]
    raise KeyError(name)


def flipped(data, byte, bit):
    return data[:byte] + bytes([data[byte] ^ 1 << bit]) + data[byte + 1:]


class Test:
    def __init__(self, tools, folder):
        self.tools, self.folder, self.failed, self.found = tools, folder, 0, 0
        self.graph, self.weights = self.path("g.safetensors"), self.path("w.safetensors")
        for text, made in (("karate.txt", self.graph), ("karate_gcn.txt", self.weights)):
            tools.call([tools.gnn_data, "convert", os.path.join(KARATE, text), "-o", made])

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, program, *more, weights=None):
        """Returns the exit status and what was printed."""
        command = [self.tools.gnn_run, program, "--graph", self.graph, "--weights", weights or self.weights, *more]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_SECONDS, check=False,
                              env={**os.environ, "CFLAGS": "-O0"})  # the C compiler needs most of the time
        return done.returncode, done.stdout + done.stderr

    def check(self, what, good):
        self.found += good
        self.failed += not good
        if not good:
            print(f"FAILED {what}")

    def verify(self, what, program, differs, **more):
        code, said = self.run(program, "--verify=all", **more)
        has_line = re.search(r"verify: logits: largest difference .* at node \d+, column \d+, allowed .*: differs", said)
        self.check(what, code == (1 if differs else 0) and bool(has_line) == differs)

    def flip_section(self, image, name, expected, bytes_and_bits):
        """Flips bits of a section until enough of them change the outputs."""
        data = open(image, "rb").read()
        begin, size = section(data, name)
        made, changed = self.path("flipped.bin"), 0
        for byte, bit in bytes_and_bits(size):
            with open(made, "wb") as f:
                f.write(flipped(data, begin + byte, bit))
            code, said = self.run(made, "--compare", expected)
            if code == 0 or "error" in said:
                continue  # the bit has no effect on the outputs, or the program is refused
            self.verify(f"bit {bit} of byte {byte} of {name}", made, True)
            changed += 1
            if changed == WANTED:
                return
        self.check(f"{WANTED} bits of {name} that change the outputs, found {changed}", False)


def test_image(test, model):
    image, expected = test.path("gcn.bin"), test.path("out.safetensors")
    test.tools.compile_for([], model, image, test.graph, test.weights)
    test.run(image, "-o", expected)
    test.verify("the unchanged image", image, False)
    # one bit of each byte of the code, in steps that meet all bytes of instructions
    test.flip_section(image, ".text", expected, lambda size: ((i, i % 8) for i in range(3, size, 37)))
    # the second highest bit of the exponent of each weight
    test.flip_section(image, ".weights", expected, lambda size: ((i, 5) for i in range(3, size, 4)))
    # the image holds the good weights, the file does not: --verify compares with the file
    begin = 8 + struct.unpack("<Q", open(test.weights, "rb").read(8))[0]
    other = test.path("other.safetensors")
    with open(other, "wb") as f:
        f.write(flipped(open(test.weights, "rb").read(), begin + 3, 6))
    test.verify("a bit of the weights file", image, True, weights=other)


def test_c(test, model):
    source = test.path("gcn.c")
    test.tools.compile(model, source, test.graph, test.weights)
    test.verify("the unchanged C", source, False)
    data = open(source, "rb").read()
    places = [m.end() - 2 for m in re.finditer(rb"_row\[j\] = [^;\n]* \+ ", data)]
    test.check("a sum in the generated C", bool(places))
    for at in places:
        with open(source, "wb") as f:
            f.write(flipped(data, at, 0))  # "+" becomes "*"
        test.verify(f"bit 0 of byte {at} of the C", source, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    options = parser.parse_args()
    model = os.path.join(ROOT, "examples", "gcn.gnn")
    with tempfile.TemporaryDirectory(prefix="gnnc-verify-") as folder:
        test = Test(Tools(options.bin), folder)
        test_image(test, model)
        test_c(test, model)
    print(f"{test.found} passed, {test.failed} failed")
    sys.exit(1 if test.failed else 0)


if __name__ == "__main__":
    main()
