"""PyTorch modules as ONNX files, with all operations that the module runs.

Two exporters of PyTorch are used. From version 2.6 on, `torch.export` traces the module symbolically, where
the package onnxscript is installed; nothing is optimized, so that batch norms stay. Otherwise TorchScript
runs the module once; `TrainingMode.PRESERVE` is what keeps its batch norms.
"""

from __future__ import annotations

import copy
import importlib.util
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from ._errors import ErgonError, InvalidInputError, UnsupportedError

_OPSET = 17
_HALF = (torch.float16, torch.bfloat16)


def positional(example_inputs: Any) -> tuple[Any, ...]:
    """The positional arguments among the example inputs."""
    if isinstance(example_inputs, torch.Tensor):
        return (example_inputs,)
    return () if isinstance(example_inputs, Mapping) else tuple(example_inputs)


def named(example_inputs: Any) -> dict[str, Any]:
    """The named arguments among the example inputs."""
    return dict(example_inputs) if isinstance(example_inputs, Mapping) else {}


def example_batch(example_inputs: Any) -> int:
    """Size of the first dimension of the first tensor."""
    for each in [*positional(example_inputs), *named(example_inputs).values()]:
        if isinstance(each, torch.Tensor) and each.dim() > 0:
            return int(each.shape[0])
    raise InvalidInputError("example_inputs: no tensor with a batch dimension")


def export_module(
    module: torch.nn.Module, example_inputs: Any, path: str, *, training: bool, symbolic_batch: bool
) -> list[str]:
    """Writes the module to an ONNX file.

    Returns the places where Python's control flow saw a tensor, so that the trace may hold for these inputs
    only. Raises UnsupportedError if the module cannot be traced.
    """
    failures = []
    with _unchanged(module):
        # In the mode of training, torch.export writes a batch norm as the elementwise operations of its
        # mean and variance.
        for export, mode in ((_export_symbolically, False), (_export_torchscript, training)):
            try:
                module.train(mode)
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    if export(module, example_inputs, path, symbolic_batch):
                        return _places(caught)
            except (ErgonError, MemoryError):
                raise
            except Exception as error:  # exporters raise all kinds
                failures.append(_reason(error))
    raise UnsupportedError(
        f"{type(module).__name__} cannot be traced ({'; '.join(failures)}); check that "
        "module(*example_inputs) runs, and that control flow does not depend on values of tensors"
    )


def _reason(error: Exception) -> str:
    message = str(error).strip().partition("\n")[0]
    if not message:
        last = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{last.filename}:{last.lineno}"
    return f"{type(error).__name__}: {message}"


def _places(caught: list[warnings.WarningMessage]) -> list[str]:
    places = {
        f"{each.filename}:{each.lineno}": None
        for each in caught
        if each.category.__name__ == "TracerWarning"
    }
    return list(places)


@contextmanager
def _unchanged(module: torch.nn.Module) -> Iterator[None]:
    """Restores modes, buffers and random numbers."""
    modes = [(each, each.training) for each in module.modules()]
    # By their names too: a forward pass may assign another tensor.
    buffers = [
        (each, name, buffer, buffer.detach().clone())
        for each in module.modules()
        for name, buffer in each.named_buffers(recurse=False)
    ]
    with torch.random.fork_rng():
        try:
            yield
        finally:
            for each, mode in modes:
                if each.training != mode:
                    each.training = mode
            with torch.no_grad():
                for each, name, buffer, saved in buffers:
                    buffer.copy_(saved)
                    setattr(each, name, buffer)


class _ByKeywords(torch.nn.Module):
    """A module that takes its named arguments by position, as TorchScript passes them."""

    def __init__(self, module: torch.nn.Module, arguments: dict[str, Any]) -> None:
        super().__init__()
        self.module = module
        self.training = module.training
        self._tensors = [name for name, each in arguments.items() if isinstance(each, torch.Tensor)]
        self._others = {name: each for name, each in arguments.items() if name not in self._tensors}

    def forward(self, *tensors: torch.Tensor) -> Any:
        return self.module(**dict(zip(self._tensors, tensors)), **self._others)


def _export_symbolically(
    module: torch.nn.Module, example_inputs: Any, path: str, symbolic_batch: bool
) -> bool:
    """Export by torch.export. False where this PyTorch cannot do it."""
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < (2, 6) or importlib.util.find_spec("onnxscript") is None:
        return False
    args, kwargs = positional(example_inputs), named(example_inputs)
    batch = example_batch(example_inputs)
    dim: Any = importlib.import_module("torch.export").Dim
    # torch.export takes sizes of 1 as constants.
    symbolic = dim("batch") if batch > 1 else dim.AUTO

    def dimensions(value: Any) -> Any:
        return {0: symbolic} if symbolic_batch and _has_batch(value, batch) else None

    shapes = (
        {name: dimensions(value) for name, value in kwargs.items()}
        if kwargs
        else tuple(dimensions(value) for value in args)
    )
    torch.onnx.export(
        module,
        args,
        path,
        kwargs=kwargs or None,
        dynamo=True,
        optimize=False,
        dynamic_shapes=shapes,
        verbose=False,
    )
    return True


def _export_torchscript(
    module: torch.nn.Module, example_inputs: Any, path: str, symbolic_batch: bool
) -> bool:
    """Export by TorchScript, which runs the module once."""
    module, example_inputs = _runnable_here(module, example_inputs)
    args, kwargs = positional(example_inputs), named(example_inputs)
    batch = example_batch(example_inputs)
    if kwargs:
        module = _ByKeywords(module, kwargs)
        args = tuple(each for each in kwargs.values() if isinstance(each, torch.Tensor))
    tensors = [each for each in args if isinstance(each, torch.Tensor)]
    names = [f"input_{index}" for index in range(len(tensors))]
    axes = {
        name: {0: "batch"}
        for name, tensor in zip(names, tensors)
        if symbolic_batch and _has_batch(tensor, batch)
    }
    options: dict[str, Any] = {}
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 5):
        options["dynamo"] = False
    # With gradients: without, PyTorch runs some modules by fused operators that ONNX does not have.
    with torch.enable_grad():
        torch.onnx.export(
            module,
            args,
            path,
            training=torch.onnx.TrainingMode.PRESERVE,
            do_constant_folding=False,
            opset_version=_OPSET,
            input_names=names,
            dynamic_axes=axes,
            **options,
        )
    return True


def _has_batch(value: Any, batch: int) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() > 0 and value.shape[0] == batch


def _runnable_here(module: torch.nn.Module, example_inputs: Any) -> tuple[torch.nn.Module, Any]:
    """The module in float32 if it is of half precision on a processor, where few kernels support it."""
    parameters = list(module.parameters())
    if not any(each.dtype in _HALF and each.device.type == "cpu" for each in parameters):
        return module, example_inputs

    def full(value: Any) -> Any:
        half = isinstance(value, torch.Tensor) and value.dtype in _HALF
        return value.float() if half else value

    if isinstance(example_inputs, Mapping):
        converted: Any = {name: full(value) for name, value in example_inputs.items()}
    elif isinstance(example_inputs, Sequence):
        converted = tuple(full(value) for value in example_inputs)
    else:
        converted = full(example_inputs)
    return copy.deepcopy(module).float(), converted
