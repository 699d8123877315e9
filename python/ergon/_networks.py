"""Networks and their costs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar

from . import _ergon
from ._arguments import command
from ._document import Document


class Network:
    """A network of the zoo ("resnet50"), an .onnx file or a SCALE-Sim topology .csv file. Immutable.

    image_size: side of the input image in pixels, for networks of the zoo.
    sequence: tokens per sequence, for language models of the zoo.
    dimensions: sizes of symbolic dimensions, for .onnx files: {"height": 224}.
    strict: fail on operations of unknown cost, for .onnx files.
    """

    def __init__(
        self,
        name_or_file: str | os.PathLike[str],
        *,
        image_size: int | None = None,
        sequence: int | None = None,
        dimensions: Mapping[str, int] | None = None,
        strict: bool = False,
    ) -> None:
        self._native = _ergon.Network(
            os.fsencode(name_or_file), image_size, sequence, dict(dimensions or {}), strict
        )

    @property
    def name(self) -> str:
        """ "resnet50"."""
        return self._native.name

    @property
    def family(self) -> str:
        """ "torchvision", "keras", ..., or "onnx" and "topology" for files."""
        return self._native.family

    @property
    def default_batch(self) -> int | None:
        """The batch in the network's file, if it has one."""
        return self._native.default_batch

    @property
    def batch_is_fixed(self) -> bool:
        """Whether the network runs at its default batch only."""
        return self._native.batch_is_fixed

    def inspect(self, batch: int | None = None, *, mode: str = "inference") -> Inspection:
        """Layers, operations and costs of one iteration."""
        return Inspection(self._native.inspect_document(batch, mode, command()))

    def __repr__(self) -> str:
        return f"Network({self.name!r})"


class Inspection(Document):
    """Layers, operations and costs of a network: the document of `ergon inspect --json`."""

    _rows: ClassVar[str] = "layers"

    network: str
    batch: int
    mode: str
    totals: Document
    layers: list[Document]


class Zoo(Document):
    """The built-in networks: the document of `ergon zoo --json`."""

    _rows: ClassVar[str] = "networks"

    networks: list[Document]

    def names(self) -> list[str]:
        """Names with their family: "keras/resnet50"."""
        return [f"{each['family']}/{each['name']}" for each in self._fields["networks"]]


def network_of(network: str | os.PathLike[str] | Network, **options: Any) -> Network:
    """The network itself, or the one of this name or file."""
    if not isinstance(network, Network):
        return Network(network, **options)
    if options:
        raise TypeError(f"unexpected arguments for a Network: {', '.join(options)}")
    return network


def inspect(
    network: str | os.PathLike[str] | Network,
    batch: int | None = None,
    *,
    mode: str = "inference",
    **options: Any,
) -> Inspection:
    """Layers, operations and costs of a network. `options` as of `Network`."""
    return network_of(network, **options).inspect(batch, mode=mode)


def zoo() -> Zoo:
    """The built-in networks with their parameters and MACs per sample."""
    return Zoo(_ergon.zoo_document(command()))
