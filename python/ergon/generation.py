"""Energy of text generation, split into prefill and decode.

Prefill computes the prompt and the first output token; decode computes the other tokens one by one.

    from ergon.generation import GenerationMeter

    meter = GenerationMeter()
    with meter.generate() as generation:
        model.generate(**inputs, stopping_criteria=[generation.stopping_criteria])
    print(generation.result())

or in a loop of one's own:

    with meter.prefill(tokens=1024):
        token = first_token(model, prompt)
    with meter.decode() as decode:
        for _ in range(127):
            token = next_token(model, token)
            decode.token()
    print(meter.last.result())

The prefill of one request is often shorter than the sensors resolve, and its interval is wide.
Measure several requests: `meter.total()` has the sums and the means of all generations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ._devices import Device
from ._document import Interval, Reason
from ._errors import InvalidInputError
from ._measurement import Measurement
from ._meter import Meter
from ._synchronize import synchronize
from ._training import energy_sum
from ._window import Window

__all__ = ["Generation", "GenerationMeasurement", "GenerationMeter"]


@dataclass(frozen=True)
class GenerationMeasurement:
    """Energy and time of one generation, or the sums of several. Intervals are 95 % intervals.

    prefill, decode: the measured windows. A generation of one token has no decode window.
    requests: number of sequences.
    prompt_tokens: tokens of all prompts; None if not known.
    output_tokens: tokens of all outputs.
    decode_tokens: those of them that decode computed: all but the first of each request.
    decode_steps: decoded tokens per sequence, added over the generations.
    """

    prefill: tuple[Measurement, ...]
    decode: tuple[Measurement, ...]
    requests: int
    prompt_tokens: float | None
    output_tokens: int
    decode_tokens: int
    decode_steps: int

    @property
    def energy(self) -> Interval:
        """Energy of prefill and decode in joules."""
        return energy_sum(self.prefill + self.decode)

    @property
    def energy_per_request_joules(self) -> Interval:
        """Energy of prefill and decode per request."""
        return self.energy / self.requests

    @property
    def energy_per_prompt_token_joules(self) -> Interval | None:
        """Energy of prefill per token of the prompts."""
        return energy_sum(self.prefill) / self.prompt_tokens if self.prompt_tokens else None

    @property
    def energy_per_output_token_joules(self) -> Interval | None:
        """Energy of decode per token that it computed. The first token belongs to prefill."""
        return energy_sum(self.decode) / self.decode_tokens if self.decode_tokens else None

    @property
    def time_to_first_token_seconds(self) -> float:
        """Mean duration of prefill."""
        return sum(each.seconds for each in self.prefill) / len(self.prefill)

    @property
    def time_per_output_token_seconds(self) -> float | None:
        """Mean time between the tokens of a sequence after the first."""
        if not self.decode_steps:
            return None
        return sum(each.seconds for each in self.decode) / self.decode_steps

    @property
    def valid(self) -> bool:
        """Whether all windows are valid."""
        return not self.reasons

    @property
    def reasons(self) -> list[Reason]:
        """Why windows are not valid: "too_short: prefill: ...". Each text is listed once."""
        parts = (("prefill", self.prefill), ("decode", self.decode))
        reasons = {
            Reason(f"{reason.code}: {name}: {reason.text}"): None
            for name, windows in parts
            for window in windows
            for reason in window.reasons
        }
        return list(reasons)

    def __str__(self) -> str:
        rows = [
            ("energy/request (J)", self.energy_per_request_joules),
            ("energy/prompt token (J)", self.energy_per_prompt_token_joules),
            ("energy/output token (J)", self.energy_per_output_token_joules),
            ("time to first token (s)", f"{self.time_to_first_token_seconds:.4g}"),
        ]
        if self.time_per_output_token_seconds is not None:
            rows.append(("time/output token (s)", f"{self.time_per_output_token_seconds:.4g}"))
        rows.append(("valid", "yes" if self.valid else "no: " + "; ".join(self.reasons)))
        return "\n".join(f"{name:<24} {value}" for name, value in rows if value is not None)


class Generation:
    """The windows of one generation: prefill until the first token, decode until the end.

    requests: number of sequences; may be set until `result()`. Default: the rows of the first batch
        that a hook sees, else 1. With beam search the rows are beams: set the number of requests.
    prompt_tokens: tokens of all prompts; may be set until `result()`. Default: those that a hook
        sees, with padding.
    """

    def __init__(
        self, meter: Meter, prompt_tokens: float | None = None, requests: int | None = None
    ) -> None:
        self.prompt_tokens = prompt_tokens
        self.requests = requests
        self.stopping_criteria = _StoppingCriteria(self)
        self._meter = meter
        self._decode_steps = 0
        self._decode: Window | None = None
        self._prefill = meter.measure("prefill")

    @property
    def ended(self) -> bool:
        """Whether the generation is complete."""
        return self._prefill.ended and (self._decode is None or self._decode.ended)

    def token(self, count: int = 1) -> None:
        """Marks the next token, or `count` tokens, of each sequence. The first ends prefill."""
        if not self._prefill.ended:
            self._prefill.end()
            self._begin_decode()
            count -= 1
        elif self._decode is None or self._decode.ended:
            raise InvalidInputError("token: the generation has ended")
        self._decode_steps += count

    def end(self) -> Generation:
        """Ends the generation. Takes microseconds after the GPU has finished."""
        if not self._prefill.ended:
            self._prefill.end()
        if self._decode is not None and not self._decode.ended:
            self._decode.end(synchronize=True)
        return self

    def done(self) -> bool:
        """Whether `result()` returns without waiting."""
        return self.ended and self._prefill.done() and (self._decode is None or self._decode.done())

    def result(self, timeout_seconds: float | None = None) -> GenerationMeasurement:
        """The measurement. Waits until the sensors have covered the generation.

        Raises InvalidInputError if it has not ended, and as `Window.result`.
        """
        if not self.ended:
            raise InvalidInputError("the generation has not ended")
        requests = self.requests or 1
        decode = []
        if self._decode is not None and self._decode_steps:
            decode = [self._decode.result(timeout_seconds)]
        return GenerationMeasurement(
            prefill=(self._prefill.result(timeout_seconds),),
            decode=tuple(decode),
            requests=requests,
            prompt_tokens=self.prompt_tokens,
            output_tokens=requests * (1 + self._decode_steps),
            decode_tokens=requests * self._decode_steps,
            decode_steps=self._decode_steps,
        )

    def streamer(self, following: Any = None) -> Any:
        """A streamer for `generate(streamer=...)`, which passes everything on to the `following`
        one.

        Streamers make each step wait for its token. Prefer `stopping_criteria`.
        """
        return _Streamer(self, following)

    def _begin_decode(self) -> None:
        # The caller has waited for the GPU.
        self._decode = self._meter.measure("decode", synchronize=False)

    def _see_prompt(self, rows: int, tokens: float) -> None:
        if self.requests is None:
            self.requests = rows
        if self.prompt_tokens is None and tokens > 0:
            self.prompt_tokens = tokens


class _StoppingCriteria:
    """A `StoppingCriteria` that stops nothing: transformers calls it after each step of
    `generate()`.

    With the ids of the sequences so far: prompt and output, or for encoder-decoder models the
    output.
    """

    def __init__(self, generation: Generation) -> None:
        self._generation = generation
        self._length = 0

    def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> bool:
        rows, length = input_ids.shape
        if self._length == 0:
            self._generation._see_prompt(rows, rows * (length - 1))
            self._generation.token()
        else:
            # Several tokens per step in assisted decoding.
            self._generation.token(length - self._length)
        self._length = length
        return False

    def __deepcopy__(self, memo: Any) -> _StoppingCriteria:
        return self  # transformers before 4.40 copies criteria


class _Streamer:
    """A `BaseStreamer`: `put` with the prompt, `put` with each step's tokens, `end`."""

    def __init__(self, generation: Generation, following: Any) -> None:
        self._generation = generation
        self._following = following
        self._saw_prompt = False

    def put(self, value: Any) -> None:
        if self._saw_prompt:
            self._generation.token()
        else:
            self._saw_prompt = True
            rows = value.shape[0] if len(value.shape) > 1 else 1
            self._generation._see_prompt(rows, rows * value.shape[-1])
        if self._following is not None:
            self._following.put(value)

    def end(self) -> None:
        if self._following is not None:
            self._following.end()


class GenerationMeter:
    """Measures generations on one meter. One generation at a time: the energy of a GPU has no
    owner.

    devices: as of `ergon.Meter`; those with the model. Or pass a running `meter`.
    """

    def __init__(
        self,
        devices: Sequence[str | int | Device] | None = None,
        *,
        meter: Meter | None = None,
    ) -> None:
        if devices is not None and meter is not None:
            raise InvalidInputError("GenerationMeter: devices and meter exclude each other")
        self._meter = meter or Meter(devices, prompt=True)
        self.generations: list[Generation] = []
        """All generations that ended without an exception."""

    @property
    def last(self) -> Generation:
        """The newest generation."""
        if not self.generations:
            raise InvalidInputError("no generation was measured yet")
        return self.generations[-1]

    @contextmanager
    def generate(
        self, *, prompt_tokens: float | None = None, requests: int | None = None
    ) -> Iterator[Generation]:
        """Measures a block that generates and marks tokens: by a hook, or by `token()`."""
        generation = Generation(self._meter, prompt_tokens, requests)
        yield generation
        self.generations.append(generation.end())

    @contextmanager
    def prefill(
        self, tokens: float | None = None, *, requests: int | None = None
    ) -> Iterator[Generation]:
        """Measures a block that computes prompts and the first token of each sequence."""
        generation = Generation(self._meter, tokens, requests)
        yield generation
        self.generations.append(generation.end())

    @contextmanager
    def decode(self) -> Iterator[Generation]:
        """Measures a block that computes the other tokens. Call `token()` after each."""
        generation = self.last
        if generation._decode is not None:
            raise InvalidInputError("decode: call prefill() first; the last one has its decode")
        synchronize()
        generation._begin_decode()
        try:
            yield generation
        except BaseException:
            self.generations.remove(generation)
            raise
        generation.end()

    def total(self) -> GenerationMeasurement:
        """Sums of all generations so far. Waits for the newest."""
        return _added(each.result() for each in self.generations)


def _added(results: Iterable[GenerationMeasurement]) -> GenerationMeasurement:
    parts = list(results)
    if not parts:
        raise InvalidInputError("no generation was measured yet")
    prompts = [each.prompt_tokens for each in parts]
    return GenerationMeasurement(
        prefill=tuple(window for each in parts for window in each.prefill),
        decode=tuple(window for each in parts for window in each.decode),
        requests=sum(each.requests for each in parts),
        prompt_tokens=None if None in prompts else sum(filter(None, prompts)),
        output_tokens=sum(each.output_tokens for each in parts),
        decode_tokens=sum(each.decode_tokens for each in parts),
        decode_steps=sum(each.decode_steps for each in parts),
    )
