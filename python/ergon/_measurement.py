"""The measured energy of a time span."""

from __future__ import annotations

from typing import Any, ClassVar

from ._document import Document, Interval, Reason


def _interval(energy: float, half_width: float) -> Interval:
    return Interval(energy, energy - half_width, energy + half_width)


class DeviceMeasurement(Document):
    """The part of one device in a measurement."""

    device: str
    uuid: str
    name: str
    kind: str
    simulated: bool
    energy_joules: float
    energy_uncertainty_joules: float
    mean_power_watts: float
    peak_power_watts: float
    field: str
    samples: int
    dropped: int

    @property
    def low_joules(self) -> float:
        """Lower end of the 95 % interval."""
        return self.energy_joules - self.energy_uncertainty_joules

    @property
    def high_joules(self) -> float:
        """Upper end of the 95 % interval."""
        return self.energy_joules + self.energy_uncertainty_joules


class Measurement(Document):
    """Energy of a window with its 95 % interval, and whether it is valid.

    The fields are those of `ergon measure --json`. A measurement that is not valid has reasons and may
    be far off; one that could not be made is an exception.
    """

    _rows: ClassVar[str] = "sources"

    energy_joules: float
    energy_uncertainty_joules: float
    duration_seconds: float
    peak_power_watts: float
    valid: bool

    def __init__(
        self, fields: Any, samples: float | None = None, tokens: float | None = None
    ) -> None:
        super().__init__(fields)
        self._samples = samples
        self._tokens = tokens

    @property
    def energy(self) -> Interval:
        """Energy in joules."""
        return _interval(self.energy_joules, self.energy_uncertainty_joules)

    @property
    def low_joules(self) -> float:
        """Lower end of the 95 % interval of the energy."""
        return self.energy.low

    @property
    def high_joules(self) -> float:
        """Upper end of the 95 % interval of the energy."""
        return self.energy.high

    @property
    def statistical_joules(self) -> float:
        """Half of the 95 % interval without the spread of sensors between boards.

        Two measurements on the same board differ if their values differ by more than this.
        """
        value: float = self._fields["energy_statistical_joules"]
        return value

    @property
    def seconds(self) -> float:
        """Duration of the window."""
        return self.duration_seconds

    @property
    def power_watts(self) -> Interval:
        """Mean power over the window."""
        return self.energy / self.duration_seconds

    @property
    def reasons(self) -> list[Reason]:
        """Why the measurement is not valid; empty if it is."""
        return [Reason(each) for each in self._fields["reasons"]]

    @property
    def notes(self) -> list[Reason]:
        """Remarks that do not affect validity."""
        return [Reason(each) for each in self._fields["notes"]]

    @property
    def devices(self) -> list[DeviceMeasurement]:
        """The part of each device."""
        return [DeviceMeasurement(each) for each in self._fields["sources"]]

    @property
    def simulated(self) -> bool:
        """Whether a twin or fake-nvml was involved."""
        return bool(self._fields["simulated"])

    @property
    def samples(self) -> float | None:
        """Number of samples that were processed in the window, if it was given."""
        return self._samples

    @property
    def tokens(self) -> float | None:
        """Number of tokens that were processed in the window, if it was given."""
        return self._tokens

    @property
    def energy_per_sample_joules(self) -> Interval | None:
        """Energy per sample, if their number was given and is above 0."""
        return self.energy / self._samples if self._samples else None

    @property
    def energy_per_token_joules(self) -> Interval | None:
        """Energy per token, if their number was given and is above 0."""
        return self.energy / self._tokens if self._tokens else None

    def _summary(self) -> list[tuple[str, str]]:
        rows = [
            ("energy (J)", str(self.energy)),
            ("power (W)", str(self.power_watts)),
            ("time (s)", f"{self.seconds:.4g}"),
            ("valid", "yes" if self.valid else "no: " + "; ".join(self.reasons)),
        ]
        if self._samples:
            rows.append(("energy/sample (J)", str(self.energy_per_sample_joules)))
        if self._tokens:
            rows.append(("energy/token (J)", str(self.energy_per_token_joules)))
        if self.simulated:
            rows.append(("simulated", "yes"))
        return rows
