"""The limits of the host, measured in the same run as the models: FMA, triad and gather probes with the flags of the kernels."""
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-std=c17", "-O3", "-march=native", "-ffp-contract=fast", "-fopenmp"]


def cache_bytes():
    """The last-level cache of one core's complex; 32 MiB where the system does not say."""
    try:
        with open("/sys/devices/system/cpu/cpu0/cache/index3/size", encoding="ascii") as f:
            text = f.read().strip()
        return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]
    except (OSError, ValueError, KeyError):
        return 32 << 20


def compile_probe(out):
    """The probe's path."""
    probe = f"{out}/probe"
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, f"{HERE}/probe.c", "-o", probe], check=True)
    return probe


def limits(probe, threads):
    """{"gflops": ..., "gbytes": ..., "gather": {bytes of a row: GB/s}} right now."""
    found = json.loads(subprocess.run([probe, str(threads)], check=True, capture_output=True, text=True).stdout)
    found["gather"] = {int(row_bytes): rate for row_bytes, rate in found["gather"].items()}
    return found
