"""The GPUs that CUDA programs of this process see."""

from __future__ import annotations

import os

from ._errors import InvalidInputError


def visible_gpus() -> list[str] | None:
    """Names of the devices in CUDA_VISIBLE_DEVICES, in its order; None if the variable is not set.

    Indices are those of NVML (PCI order), as with CUDA_DEVICE_ORDER=PCI_BUS_ID. As in CUDA, an index of
    -1 ends the list.
    """
    text = os.environ.get("CUDA_VISIBLE_DEVICES")
    if text is None:
        return None
    names = []
    for entry in (part.strip() for part in text.split(",")):
        if entry in ("", "-1"):
            break
        if entry.isdigit():
            names.append(f"gpu{int(entry)}")
        elif entry.upper().startswith(("GPU-", "MIG-")):
            names.append(entry)
        else:
            raise InvalidInputError(
                f'CUDA_VISIBLE_DEVICES: "{entry}" is not an index or UUID (example: 0,1)'
            )
    return names
