"""The CSV file that `ZeusMonitor(log_file=...)` writes."""

from __future__ import annotations

import atexit
import csv
import logging
import os
import queue
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._errors import ErgonError

if TYPE_CHECKING:
    from .zeus import Measurement

    _Row = tuple[float, str, Measurement]


class ZeusLog:
    """Zeus's CSV file. A thread writes the rows in the order in which their windows ended."""

    def __init__(
        self, path: str | Path, gpu_indices: Sequence[int], logger: logging.Logger
    ) -> None:
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        self.file = open(path, "w", newline="")
        self._gpu_indices = list(gpu_indices)
        self._logger = logger
        self._writer = csv.writer(self.file, lineterminator="\n")
        self._row(
            ["start_time", "window_name", "elapsed_time", *(f"gpu{i}_energy" for i in gpu_indices)]
        )
        self._pending: queue.SimpleQueue[_Row | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ergon-zeus-log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def add(self, start_time: float, key: str, measurement: Measurement) -> None:
        """Writes a row when its window is measured. Does not wait."""
        self._pending.put((start_time, key, measurement))

    def close(self) -> None:
        """Writes what is left and closes the file."""
        atexit.unregister(self.close)
        if self._thread.is_alive():
            self._pending.put(None)
            self._thread.join()
        self.file.close()

    def _run(self) -> None:
        while (entry := self._pending.get()) is not None:
            start_time, key, measurement = entry
            try:
                energies = measurement.gpu_energy
            except ErgonError as error:
                self._logger.warning("window '%s' was not measured: %s", key, error)
                energies = {}
            # A cell without a measurement is empty, not 0.
            cells = [energies.get(index, "") for index in self._gpu_indices]
            self._row([start_time, key, measurement.time, *cells])

    def _row(self, cells: Sequence[object]) -> None:
        self._writer.writerow(cells)
        self.file.flush()
