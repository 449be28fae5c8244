"""What every program for a simulated machine is, as hashes: sections but the note, cycles, outputs. For refactorings that must not change them.

    python3 hash_programs.py --store FILE [--bin build/bin] [--sets karate,examples,random,bench,large]
    python3 hash_programs.py --compare FILE ...

Sets: karate (every device and level), examples (trained models on their graphs), random (seeds on small devices), bench (b1 .. b8 on CI CO PU FL), large (the same on
RE YE AP, without data, timing only). The last line is "N programs, N differ".
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from programs import ROOT, Failed, Tools

from golden import FORMS
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "conformance"))
from machines import MACHINES

DEVICES = MACHINES["graphagile"].devices


def device_options(name, folder):
    return MACHINES["graphagile"].options(name, folder)[1:]
from safetensors import copy

sys.path.insert(0, os.path.join(ROOT, "bench"))
EXAMPLES = {"gcn": "cora", "gat": "cora", "sage": "cora", "gin": "cora", "sgc": "cora", "gatv2": "cora", "graphgym": "cora", "jumping_knowledge": "cora",
            "rgcn": "aifb", "rgcn_basis": "aifb", "rgat": "aifb", "hgt": "aifb_typed", "gin_graph": "mutag_tu"}
LEFT_OUT = {".note.gnnc", ""}


def sha(data):
    return hashlib.sha256(data).hexdigest()[:20]


def sections(path):
    """{name: hash of flags, address, size and bytes} of an ELF file."""
    with open(path, "rb") as f:
        data = f.read()
    at, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(count)]
    found = {}
    for name, kind, flags, address, offset, length, *_ in headers:
        begin = headers[names][4] + name
        text = data[begin:data.index(b"\0", begin)].decode()
        if text not in LEFT_OUT:
            found[text] = sha(struct.pack("<QQQ", flags, address, length) + (b"" if kind == 8 else data[offset:offset + length]))
    return found


def run_one(tools, source, graph, weights, options, folder, simulate=()):
    """One program: its sections, cycles, outputs; or the message of a refusal."""
    program, out = os.path.join(folder, "p.bin"), os.path.join(folder, "out.safetensors")
    data = [f"--weights={weights}"] if weights else []
    try:
        Tools.call([tools.gnnc, "--target=graphagile", source, f"--graph={graph}", *data, "-o", program, *options])
    except Failed as error:
        return {"refused": re.sub(r"/\S*/", "", str(error).split("\n", 1)[1])[:2000]}
    command = [tools.gnn_run, program, f"--graph={graph}", "--stats=json", *simulate]
    if "--timing-only" not in simulate:
        command += ["-o", out]
    try:
        said = Tools.call(command).decode()
    except Failed as error:
        return {"sections": sections(program), "failed": str(error).split("\n", 1)[1][:2000]}
    stats = json.loads(said[said.index("{"):])
    layers = sha(json.dumps([[layer[k] for k in ("cycles", "blocks", "read", "written", "multiply_adds")] for layer in stats["layers"]]).encode())
    with_outputs = {} if "--timing-only" in simulate else {"outputs": sha(open(out, "rb").read())}
    return {"sections": sections(program), "cycles": stats["cycles"], "layers": layers, **with_outputs}


def example_cases(shared, scratch):
    for model, graph in EXAMPLES.items():
        data = os.path.join(shared, "data")
        source, weights = os.path.join(data, "graphs", f"{graph}.safetensors"), os.path.join(data, "weights", f"{graph}_{model}.safetensors")
        for form in ("dense", "compressed") if graph == "cora" else ("both",):
            made = os.path.join(scratch, f"{graph}.{form}.safetensors")
            if not os.path.exists(made):
                copy(source, made, FORMS[form])
            for device in ("default", "extended"):
                if device == "default" or form != "dense":
                    yield f"{model} {form} {device}", (os.path.join(ROOT, "examples", f"{model}.gnn"), made, weights, device_options(device, scratch))


def karate_cases(tools, scratch):
    paths = {}
    for name in ("karate", "karate_gcn"):
        paths[name] = os.path.join(scratch, f"{name}.safetensors")
        tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", f"{name}.txt"), "-o", paths[name]])
    for device in DEVICES:
        for level in ("O0", "O1", "O2", "O3"):
            yield f"karate {device} {level}", (os.path.join(ROOT, "examples", "gcn.gnn"), paths["karate"], paths["karate_gcn"],
                                               device_options(device, scratch) + [f"-{level}"])


def random_cases(seeds, scratch, oracle):
    if oracle:
        sys.path.insert(0, oracle)
    from generate import generate, write_case
    from random_cases import more_options
    for seed in range(1, seeds + 1):
        folder = os.path.join(scratch, f"random{seed}")
        os.makedirs(folder)
        write_case(folder, generate(seed, without=["functions"]))
        for device in ("tiny", "narrow", "extended", "default", "least"):
            yield f"random {seed} {device}", (os.path.join(folder, "model.gnn"), os.path.join(folder, "graph.safetensors"),
                                              os.path.join(folder, "weights.safetensors"), device_options(device, folder) + more_options(MACHINES["graphagile"], folder, device))


def bench_cases(options, graphs, is_large):
    import overlay_cells as cells
    from overlay_bench import Overlay
    bench = Overlay(options.bin, options.out)
    bench.bin = options.maker or options.bin
    for graph in graphs:
        for model in cells.MODELS:
            ways = {"paper": (f"{model}_paper", ["--preset=paper", "--no-data"]), "sparse": (model, ["--features=auto", "--no-data"]),
                    "packed": (model, ["--features=auto", "--no-data", "--device-set=has_broadcast=true", "--device-set=has_packed_edges=true"])}
            if not is_large and graph in ("CI", "CO"):
                ways["data"] = (model, ["--features=auto", "--device-set=has_broadcast=true"])
            for way, (source, flags) in ways.items():
                weights = None if "--no-data" in flags else bench.weights(source, graph)
                simulate = ["--timing-only", "--level=0"] if "--no-data" in flags else ["--level=1"]
                yield f"bench {model} {graph} {way}", (bench.model(source), bench.graph(graph), weights, bench.dims(graph) + flags, simulate)


def cases(options, tools, scratch):
    if "karate" in options.sets:
        yield from karate_cases(tools, scratch)
    if "examples" in options.sets:
        yield from example_cases(options.shared, scratch)
    if "random" in options.sets:
        yield from random_cases(options.seeds, scratch, options.oracle)
    if "bench" in options.sets:
        yield from bench_cases(options, ("CI", "CO", "PU", "FL"), False)
    if "large" in options.sets:
        yield from bench_cases(options, ("RE", "YE", "AP"), True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--maker", help="programs that make graphs and weights of the bench (default --bin)")
    parser.add_argument("--out", default=os.path.join(tempfile.gettempdir(), "gnnc-hash-bench"))
    parser.add_argument("--sets", default="karate,examples,random", type=lambda t: t.split(","))
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    parser.add_argument("--oracle", help="folder of the generator of random models (default test/oracle)")
    parser.add_argument("--store")
    parser.add_argument("--compare")
    options = parser.parse_args()
    found, tools = {}, Tools(options.bin)
    with tempfile.TemporaryDirectory(prefix="gnnc-hash-") as scratch:

        def work(item):
            name, (source, graph, weights, flags, *simulate) = item
            folder = tempfile.mkdtemp(dir=scratch)
            result = run_one(tools, source, graph, weights, flags, folder, *simulate)
            shutil.rmtree(folder)
            return name, result
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, result in pool.map(work, cases(options, tools, scratch)):
                found[name] = result
    differ = []
    if options.compare:
        with open(options.compare, encoding="utf-8") as f:
            before = json.load(f)
        for name, result in found.items():
            if name in before and before[name] != result:
                differ.append(name)
                old = before[name]
                for key in sorted(set(old) | set(result)):
                    if old.get(key) != result.get(key):
                        which = [s for s in old[key] if old[key][s] != result.get(key, {}).get(s)] if isinstance(old.get(key), dict) else [old.get(key), result.get(key)]
                        print(f"{name}: {key}: {which}")
        missing = [n for n in found if n not in before]
        if missing:
            print(f"not known before: {missing[:5]} ...")
    if options.store:
        with open(options.store, "w", encoding="utf-8") as f:
            json.dump(found, f, indent=1)
    refused = sum("refused" in r for r in found.values())
    print(f"{len(found)} programs ({refused} refused), {len(differ)} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
