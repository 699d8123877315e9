"""`ergon.generation` on fake-nvml, with a stand-in for `generate()` of transformers."""

from __future__ import annotations

import copy
import sys
import time
import types
from collections.abc import Sequence
from typing import Any

import pytest

import ergon
from ergon.generation import GenerationMeasurement, GenerationMeter

PREFILL, STEP = 0.3, 0.05


class Ids:
    """A tensor of token ids: only its shape."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape


def generate_stand_in(
    rows: int,
    prompt: int,
    tokens: int,
    *,
    stopping_criteria: Sequence[Any] = (),
    streamer: Any = None,
    tokens_per_step: int = 1,
) -> None:
    """The order of transformers' sampling loop: prompt to the streamer, then for each step the
    forward pass, the token to the streamer, and the stopping criteria with all ids so far."""
    if streamer is not None:
        streamer.put(Ids(rows, prompt))
    length = prompt
    while length < prompt + tokens:
        time.sleep(PREFILL if length == prompt else STEP)
        length += 1 if length == prompt else tokens_per_step
        if streamer is not None:
            streamer.put(Ids(rows))
        stopped = False
        for criteria in stopping_criteria:
            stopped = stopped | criteria(Ids(rows, length), None)
        assert not stopped
    if streamer is not None:
        streamer.end()


def assert_times(result: GenerationMeasurement, prefill: float, step: float) -> None:
    assert 0 <= result.time_to_first_token_seconds - prefill < 0.1
    assert result.time_per_output_token_seconds is not None
    assert 0 <= result.time_per_output_token_seconds - step < 0.03


@pytest.fixture(scope="module")
def devices() -> list[str]:
    return ["gpu0"]


def test_stopping_criteria_split_prefill_and_decode(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with meter.generate() as generation:
        generate_stand_in(2, 100, 9, stopping_criteria=[generation.stopping_criteria])
    result = generation.result()
    assert meter.last is generation
    assert (result.requests, result.prompt_tokens, result.output_tokens) == (2, 200, 18)
    assert (result.decode_tokens, result.decode_steps) == (16, 8)
    assert_times(result, PREFILL, STEP)
    prefill, decode = result.prefill[0], result.decode[0]
    per_prompt, per_output = (
        result.energy_per_prompt_token_joules,
        result.energy_per_output_token_joules,
    )
    assert per_prompt is not None and per_output is not None
    assert per_prompt.value == pytest.approx(prefill.energy_joules / 200)
    assert per_output.value == pytest.approx(decode.energy_joules / 16)
    assert per_output.low < per_output.value < per_output.high
    total = prefill.energy_joules + decode.energy_joules
    assert result.energy_per_request_joules.value == pytest.approx(total / 2)
    # The load of gpu0 is steady, so energy is as time.
    assert per_output.value * 16 / per_prompt.value / 200 == pytest.approx(
        decode.seconds / prefill.seconds, rel=0.15
    )
    assert "energy/output token (J)" in str(result)


def test_loop_marks_its_tokens(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with meter.prefill(tokens=64):
        time.sleep(0.2)
    time.sleep(0.3)  # between the blocks: not measured
    with meter.decode() as decode:
        for _ in range(4):
            time.sleep(STEP)
            decode.token()
    result = meter.last.result()
    assert result.prompt_tokens == 64
    assert (result.output_tokens, result.decode_tokens) == (5, 4)
    assert_times(result, 0.2, STEP)


def test_streamer_forwards_and_counts(devices: list[str]) -> None:
    class Following:
        def __init__(self) -> None:
            self.calls: list[str] = []

        def put(self, value: Ids) -> None:
            self.calls.append(f"put {value.shape}")

        def end(self) -> None:
            self.calls.append("end")

    following = Following()
    meter = GenerationMeter(devices)
    with meter.generate() as generation:
        generate_stand_in(1, 7, 3, streamer=generation.streamer(following))
    result = generation.result()
    assert following.calls == ["put (1, 7)", "put (1,)", "put (1,)", "put (1,)", "end"]
    assert (result.prompt_tokens, result.output_tokens, result.decode_steps) == (7, 3, 2)
    assert_times(result, PREFILL, STEP)


def test_several_tokens_per_step_as_in_assisted_decoding(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with meter.generate(requests=1, prompt_tokens=5) as generation:
        generate_stand_in(
            4, 10, 7, stopping_criteria=[generation.stopping_criteria], tokens_per_step=3
        )
    result = generation.result()
    assert (result.requests, result.prompt_tokens) == (1, 5), "given numbers take precedence"
    assert (result.output_tokens, result.decode_tokens) == (7, 6)


def test_one_token_has_no_decode(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with meter.generate() as generation:
        generate_stand_in(1, 10, 1, stopping_criteria=[generation.stopping_criteria])
    result = generation.result()
    assert result.output_tokens == 1
    assert result.decode == ()
    assert result.energy_per_output_token_joules is None
    assert result.time_per_output_token_seconds is None
    assert result.energy.value == pytest.approx(result.prefill[0].energy_joules)


def test_total_adds_generations(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with pytest.raises(ergon.InvalidInputError, match="no generation"):
        meter.total()
    for tokens in (2, 4):
        with meter.generate() as generation:
            generate_stand_in(1, 50, tokens, stopping_criteria=[generation.stopping_criteria])
    single = [each.result() for each in meter.generations]
    total = meter.total()
    assert (total.requests, total.prompt_tokens, total.output_tokens) == (2, 100, 6)
    assert total.energy.value == pytest.approx(sum(each.energy.value for each in single))
    half_widths = [each.energy.high - each.energy.value for each in single]
    half_width = total.energy.high - total.energy.value
    assert max(half_widths) < half_width <= sum(half_widths) * (1 + 1e-9)
    assert_times(total, PREFILL, STEP)
    assert total.valid == all(each.valid for each in single)


def test_generation_that_raises_is_not_counted(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with pytest.raises(RuntimeError), meter.generate():
        raise RuntimeError
    assert meter.generations == []
    with meter.prefill(tokens=1):
        pass
    with pytest.raises(RuntimeError), meter.decode():
        raise RuntimeError
    assert meter.generations == []


def test_wrong_order_is_an_error(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with pytest.raises(ergon.InvalidInputError), meter.decode():
        pass
    with meter.prefill() as generation:
        with pytest.raises(ergon.InvalidInputError, match="has not ended"):
            generation.result()
        time.sleep(0.05)
    with pytest.raises(ergon.InvalidInputError, match="has ended"):
        generation.token()
    with meter.decode() as decode:
        time.sleep(0.05)
        decode.token()
    with pytest.raises(ergon.InvalidInputError, match="call prefill"), meter.decode():
        pass
    assert meter.last.result().energy_per_prompt_token_joules is None, "the prompt is not known"


def test_reasons_name_the_part(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with meter.prefill(tokens=1):
        pass  # microseconds: too short for any sensor
    with meter.decode() as decode:
        time.sleep(0.2)
        decode.token()
    result = meter.last.result()
    assert not result.valid
    assert [each.code for each in result.reasons] == ["too_short"]
    assert result.reasons[0].text.startswith("prefill: ")


def test_waits_for_launched_work_at_every_boundary(
    devices: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[str] = []
    cuda = types.SimpleNamespace(
        is_initialized=lambda: True,
        is_available=lambda: True,
        current_device=lambda: 0,
        device_count=lambda: 1,
        memory_reserved=lambda device: 1,
        synchronize=lambda device=None: waits.append("wait"),
    )
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(cuda=cuda))
    meter = GenerationMeter(devices)
    with meter.generate() as generation:
        assert len(waits) == 1
        generation.token()
        assert len(waits) == 2, "the first token is the end of prefill"
        generation.token()
        assert len(waits) == 2, "the other tokens do not wait"
    assert len(waits) == 3
    waits.clear()
    with meter.prefill():
        pass
    with meter.decode():
        assert len(waits) == 3
    assert len(waits) == 4


def test_copy_of_the_hook_is_the_hook(devices: list[str]) -> None:
    meter = GenerationMeter(devices)
    with meter.generate() as generation:
        hook = copy.deepcopy([generation.stopping_criteria])
        generate_stand_in(1, 2, 2, stopping_criteria=hook)
    assert generation.result().output_tokens == 2
