"""The machines of the conformance suite: the devices and options of each, and the parts of the suite that it declines.

    MACHINES["graphagile"].options("tiny", folder)    =>    ["--target=graphagile", "--device=.../tiny.device.json"]

A part of the suite that a machine declines is printed with the reason; the other parts must pass. CONTRIBUTING.md says how a machine joins.
"""
import dataclasses
import json
import os


@dataclasses.dataclass(frozen=True)
class Machine:
    """One target of gnnc."""
    name: str
    # name -> parameters that differ from the default device; on small devices every case of tiling occurs with a small
    # graph
    devices: dict = dataclasses.field(default_factory=lambda: {"default": {}})
    # the devices on which a part runs by default
    small: tuple = ("default",)
    # switches -fNAME and -fno-NAME; then those that need a parameter of the device
    switches: tuple = ()
    needs: dict = dataclasses.field(default_factory=dict)
    # options that round more than fp32 does: with them golden models are compared by classes, too
    rounds: tuple = ()
    # presets, and the options that they refuse
    presets: tuple = ()
    refused_with_preset: tuple = ()
    # options that small random programs take in turn, beside none
    more: tuple = ()
    # whether its programs are images, and whether the host may execute some of their steps
    is_image: bool = True
    has_steps: bool = True
    # the folder of the programs, relative to build/bin, for machines that the installed programs do not have
    programs: str = ""
    # the unit roundoff of its arithmetic: results are compared with a bound in this unit. Machines with a larger unit than
    # that of fp32 are compared with golden logits by the classes that they choose (golden_models.py)
    unit: float = 2.0**-24
    # declined part of the suite -> reason
    declines: dict = dataclasses.field(default_factory=dict)

    def has_declined(self, part):
        """Prints the reason, and the last line of a part of the suite."""
        if part in self.declines:
            print(f"declined: {self.declines[part]}\n0 passed, 0 failed")
        return part in self.declines

    def switches_of(self, device):
        """The switches that need a parameter which the device has."""
        return [name for key, name in self.needs.items() if self.devices[device].get(key)]

    def options(self, device, folder):
        """Options of gnnc for a device; writes the file of the device into the folder."""
        options = [f"--target={self.name}"]
        if self.devices[device]:
            path = os.path.join(folder, f"{device}.device.json")
            if not os.path.exists(path):
                with open(path, "w", encoding="utf-8") as f:
                    json.dump({"machine": self.name, "name": device, **self.devices[device]}, f)
            options.append(f"--device={path}")
        return options


GNN_SWITCHES = ("merge-relations", "order", "fuse-linear", "aggregate-first", "compact", "split-attention", "fuse-activation")
LOOP_SWITCHES = ("hoist", "fuse-softmax", "fuse-loops", "exchange-loops", "fuse-sums")
FAMILIES = ("gemm", "spmm", "sddmm", "vadd", "map", "columns", "concat")

MACHINES = {m.name: m for m in [
    Machine("c", switches=GNN_SWITCHES + LOOP_SWITCHES, rounds=("-fbf16-rows",), is_image=False, has_steps=False,
            declines={"images": "its programs are C", "assembler": "its programs are C", "golden_host": "its programs have no steps",
                      "files": "its files are C, their tests are test/lit/gnnc/files.test and test/lit/gnn-run",
                      "sequential": "e2e.random_models compares it with the interpreter, thread by thread"}),
    Machine("host", switches=GNN_SWITCHES, has_steps=False, declines={"assembler": "it has no instructions"}),
    Machine("graphagile",
            devices={
                "default": {},
                "tiny": {"num_pes": 2, "width": 4, "feature_rows": 64, "weight_rows": 64, "edges": 64, "has_packed_edges": True},
                "narrow": {"num_pes": 3, "width": 8, "feature_rows": 96, "weight_rows": 40, "edges": 100, "queue_blocks": 1},
                "extended": {"num_pes": 4, "width": 8, "feature_rows": 128, "weight_rows": 128, "edges": 256, "has_broadcast": True,
                             "has_packed_edges": True, "has_half_rows": True, "has_compact_columns": True},
                "least": {"num_pes": 1, "width": 4, "feature_rows": 16, "weight_rows": 16, "edges": 1, "queue_blocks": 1},
                "most": {"num_pes": 1024, "has_broadcast": True, "has_packed_edges": True, "has_half_rows": True, "has_compact_columns": True},
            },
            small=("tiny", "narrow", "extended", "default"),
            switches=GNN_SWITCHES + ("overlap", "skip-empty", "balance", "fuse-attention", "fuse-product", "order-records", "permute-nodes"),
            needs={"has_broadcast": "broadcast", "has_packed_edges": "packed-edges", "has_half_rows": "half-rows", "has_compact_columns": "compact-columns"}, rounds=("-fhalf-rows",),
            presets=("paper",), refused_with_preset=("-ffuse-product",)),
    Machine("sextans",
            devices={
                "default": {},
                "tiny": {"window": 16, "depth": 4, "distance": 3},
                "two_b": {"window": 32, "depth": 2, "has_two_b": True, "memory": "shared", "ddr_gb_s": 20},
                "no_no_c": {"window": 48, "depth": 64, "distance": 1, "has_no_c": False},
                "least": {"window": 16, "depth": 1, "distance": 64},
                "most": {"window": 16384, "depth": 131072},
            },
            small=("tiny", "two_b", "no_no_c", "default"), switches=GNN_SWITCHES),
    Machine("fusedgcn",
            devices={
                "default": {},
                "tiny": {"rows": 4, "columns": 3, "mem": 3, "memory": "shared"},
                "wide": {"rows": 3, "columns": 8, "mem": 7, "conversion": "truncate"},
                "least": {"rows": 1, "columns": 1, "mem": 1},
                "most": {"rows": 1024, "columns": 1024, "mem": 65535},
            },
            small=("tiny", "wide", "default"), switches=GNN_SWITCHES + ("overlap", "reassociate"), unit=2.0**-8),
    Machine("agile",
            devices={
                "default": {},
                "wiki": {"nodeslots": 64, "read_masters": 1, "masters": "separate", "meshes": 1, "rows": 16, "columns": 16, "allocation": "sequential",
                         "flit_bits": 64, "buffer_slots": 16, "fte_rows": 16, "fte_columns": 1024, "pulse": 2},
                "tiny": {"nodeslots": 4, "read_masters": 2, "meshes": 1, "rows": 3, "columns": 1, "buffer_slots": 3, "fte_rows": 2, "fte_columns": 16,
                         "address_queue": 16, "message_queue_beats": 2, "admission": "groups"},
                "vector": {"columns": 2, "fte_columns": 32, "has_vector_bias": True, "has_packed_messages": True, "outstanding": 2, "write_outstanding": 3},
            },
            small=("tiny", "wiki", "vector", "default"), switches=GNN_SWITCHES, more=("--precision=fixed_16", "--precision=fixed_8", "--precision=fixed_4")),
    Machine("toy", switches=GNN_SWITCHES, programs="../test/machines"),
]}
