"""Waits for work that was launched on GPUs, so that windows begin and end with the work they measure."""

from __future__ import annotations

import sys


def synchronize() -> None:
    """Waits for the CUDA kernels of this process, where PyTorch is loaded and uses CUDA.

    Kernels run after the Python line that launches them. PyTorch is not imported, and CUDA not
    initialized: without either there is nothing to wait for.
    """
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    if cuda is None or not cuda.is_initialized():
        return
    current = cuda.current_device()
    cuda.synchronize(current)
    for device in range(cuda.device_count()):
        # Synchronizing a device without a context would create one.
        if device != current and cuda.memory_reserved(device) > 0:
            cuda.synchronize(device)
