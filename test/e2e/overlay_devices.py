"""Devices for the tests of the overlay: the paper's, and small ones on which every case of tiling occurs in a small graph."""
import json
import os

# name: what differs from the default device
DEVICES = {
    "default": {},
    "tiny": {"num_pes": 2, "width": 4, "feature_rows": 64, "weight_rows": 64, "edges": 64, "has_packed_edges": True},
    "narrow": {"num_pes": 3, "width": 8, "feature_rows": 96, "weight_rows": 40, "edges": 100, "queue_blocks": 1},
    "extended": {"num_pes": 4, "width": 8, "feature_rows": 128, "weight_rows": 128, "edges": 256, "has_broadcast": True,
                 "has_packed_edges": True},
    "least": {"num_pes": 1, "width": 4, "feature_rows": 16, "weight_rows": 16, "edges": 1, "queue_blocks": 1},
    "most": {"num_pes": 1024, "has_broadcast": True, "has_packed_edges": True},
}


def device_options(name, folder):
    """Options of gnnc for a device, whose file is written into the folder."""
    if not DEVICES[name]:
        return []
    path = os.path.join(folder, f"{name}.device.json")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"name": name, **DEVICES[name]}, f)
    return [f"--device={path}"]
