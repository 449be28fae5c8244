"""Models on Sextans beside the golden results, the compiler's time, and the speed at which lists are made."""
import filecmp
import json
import os
import statistics
import subprocess
import time

import sextans_inputs as inputs

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = {"gcn": "cora", "sgc": "cora", "sage": "cora", "gin": "cora", "gat": "cora", "gatv2": "cora", "graphgym": "cora", "jumping_knowledge": "cora", "rgcn": "aifb", "rgcn_basis": "aifb",
          "rgat": "aifb", "hgt": "aifb_typed", "gin_graph": "mutag_tu"}
SHARES = {**dict.fromkeys(("gcn", "sgc", "sage", "gin", "rgcn", "rgcn_basis", "gin_graph"), 99), **dict.fromkeys(("gat", "gatv2", "rgat", "hgt"), 90)}
MOST_CYCLES, MOST_MS, RUNS = 5500, 60, 15
LARGE = ["web_notredame", "ego_twitter"]


def largest_difference(path, golden):
    """Of the logits, as a part of what is allowed: 1e-4 of the largest logit, and of 1."""
    ours, theirs = inputs.read_int(path, "logits"), inputs.read_int(golden, "logits")
    return max(abs(a - b) if a == a else float("inf") for a, b in zip(ours, theirs)) / (1e-4 * max(1, *map(abs, theirs)))


def print_models(b):
    data, out = f"{b.options.shared}/data", b.options.out
    b.say("### Models")
    b.say()
    b.say("`gnnc --target=sextans examples/MODEL.gnn --graph --weights`, then `gnn-run`; Cora with sparse features where the file has both. Link and host are nominal times of the device's parameters "
          "(16 GB/s; 50 GFLOP/s, 20 GB/s). Share: of the multiply-adds that device and host execute. Difference: the largest difference from the golden logits, divided by 1e-4 max(1, largest logit).")
    b.say()
    rows, shares, worst, gcn = [], {}, {}, None
    for name, graph in MODELS.items():
        file, weights = f"{data}/graphs/{graph}.safetensors", f"{data}/weights/{graph}_{name}.safetensors"
        program, result = f"{out}/model.bin", f"{out}/model.safetensors"
        b.call([b.tool("gnnc"), "--target=sextans", f"{ROOT}/examples/{name}.gnn", f"--graph={file}", f"--weights={weights}", "-o", program])
        said = b.call([b.tool("gnn-run"), program, f"--graph={file}", "--stats=json", "-o", result])
        r = json.loads(said[said.index("{"):])
        host, share = r["host"], r["host"]["device_share"]
        shares[name], worst[name] = share, largest_difference(result, f"{data}/golden/{graph}_{name}.safetensors")
        gcn = r["cycles"] if name == "gcn" else gcn
        rows.append([name, graph, f"{r['cycles']:,}", f"{r['ms']:.4f}", f"{host['link_ms']:.3f}", f"{host['ms']:.3f}", f"{share:.2f} %", host["launches"],
                     f"{os.path.getsize(program):,}", f"{worst[name]:.3f}"])
    b.table(["", "graph", "cycles", "device ms", "link ms", "host ms", "share", "launches", "bytes of the image", "difference"], rows)
    b.gate(f"GCN on Cora at most {MOST_CYCLES:,} cycles", gcn <= MOST_CYCLES, f"{gcn:,}")
    low = {name: share for name, share in shares.items() if name in SHARES and share < SHARES[name]}
    b.gate("share of multiply-adds at least 99 % (GCN, SGC, SAGE, GIN, R-GCN), 90 % (GAT, GATv2, R-GAT, HGT)", not low, "all" if not low else f"below: {low}")
    far = max(worst, key=worst.get)
    b.gate("golden logits within 1e-4", worst[far] <= 1, f"largest {worst[far]:.3f} of it ({far})")
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        b.call([b.tool("gnnc"), "--target=sextans", f"{ROOT}/examples/gcn.gnn", f"--graph={data}/graphs/cora.safetensors", f"--weights={data}/weights/cora_gcn.safetensors", "-o",
                f"{out}/model.bin"])
        times.append(1e3 * (time.perf_counter() - begin))
    middle = statistics.median(times)
    b.gate(f"gnnc for GCN on Cora under {MOST_MS} ms, the whole process", middle < MOST_MS, f"median of {RUNS} {middle:.1f} ms ({min(times):.1f} to {max(times):.1f})")
    b.say()


def print_preparation(b):
    b.say("### Speed of preparation")
    b.say()
    b.say("Million non-zeros per second for cutting, assigning, scheduling and packing (`prepare` of gnn-spmm, N = 64, without reading the file), medians of 5. Same: the images made by one and by "
          "two threads have the same bytes. "
          f"Load of the machine beside it, one minute: {os.getloadavg()[0]:.1f}.")
    b.say()
    paths = {name: b.matrices.path(name) for name in b.names}
    paths |= {name: f"{b.matrices.shared}/{name}.safetensors" for name in LARGE}
    paths["ogbn_mag_01"] = f"{b.matrices.shared}/ogbn_mag_01.safetensors"
    paths["crystm03"] = b.matrices.path("crystm03")
    rows, speeds, is_same = [], {}, True
    for name, path in paths.items():
        images, medians = [f"{b.options.out}/prepare{threads}.bin" for threads in (1, 2)], []
        for threads, image in zip((1, 2), images):
            command = [b.tool("gnn-spmm"), path, "64", "--no-cpu", "--timing-only", "--stats=json", f"--threads={threads}", "-o", image]
            said = [json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(5)]
            medians.append(said[0]["matrix"]["nnz"] / statistics.median(s["prepare_ms"] for s in said) / 1e3)
        same = filecmp.cmp(*images, shallow=False)
        is_same &= same
        speeds[name] = medians[1]
        rows.append([name, f"{said[0]['matrix']['nnz']:,}", f"{medians[0]:.2f}", f"{medians[1]:.2f}", "yes" if same else "no"])
        for image in images:
            os.remove(image)
    b.table(["", "non-zeros", "1 thread", "2 threads", "same"], rows)
    b.gate("the same bytes for one and two threads", is_same, "all" if is_same else "not all")
    large = {name: s for name, s in speeds.items() if name in LARGE}
    b.gate("2.0 million non-zeros per second on two threads, web_notredame and ego_twitter", min(large.values()) >= 2, ", ".join(f"{n} {s:.2f}" for n, s in large.items()))
    slow = {name: s for name, s in speeds.items() if s < 2}
    b.say("* below 2.0: " + (", ".join(f"{n} {s:.2f}" for n, s in sorted(slow.items(), key=lambda i: i[1])) or "none"))
    b.say()


def print_all(b):
    if b.options.quick:
        return
    print_models(b)
    print_preparation(b)
