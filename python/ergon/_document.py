"""Results as documents: the JSON that the program prints, with its fields as attributes."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ._errors import UnsupportedError

if TYPE_CHECKING:
    import pandas

_INTERVAL_FIELDS = {"value", "low", "high"}


@dataclass(frozen=True)
class Interval:
    """A value with its interval: 95 % for measurements, 90 % for predictions."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"

    def __truediv__(self, divisor: float) -> Interval:
        if not divisor > 0:
            raise ZeroDivisionError(f"an interval cannot be divided by {divisor}")
        return Interval(self.value / divisor, self.low / divisor, self.high / divisor)

    def overlaps(self, other: Interval) -> bool:
        """Whether the two intervals have a value in common."""
        return self.low <= other.high and other.low <= self.high


class Reason(str):
    """Why a measurement is not valid, or a note about it: "too_short: ..."."""

    @property
    def code(self) -> str:
        """The part before the colon, from the list in docs/measure.md."""
        return self.partition(": ")[0]

    @property
    def text(self) -> str:
        """The part after the colon, for people."""
        return self.partition(": ")[2]


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Interval(**value) if value.keys() == _INTERVAL_FIELDS else Document(value)
    if isinstance(value, list):
        return [_wrapped(each) for each in value]
    return value


class Document(Mapping[str, Any]):
    """Fields of a JSON document as items and as attributes. Immutable.

    `{"value", "low", "high"}` is an `Interval`, other objects are documents. docs/json.md lists the
    fields of each schema; a name carries its unit (`time_seconds`).
    """

    # The list that is the table of to_pandas(); "" for a table of one row.
    _rows: ClassVar[str] = ""

    def __init__(self, fields: Mapping[str, Any] | str) -> None:
        self._fields: dict[str, Any] = (
            json.loads(fields) if isinstance(fields, str) else dict(fields)
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} is immutable; to_dict() is a copy to change")
        super().__setattr__(name, value)

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._fields[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(
                f"{type(self).__name__} has no field {name!r}; it has {', '.join(self._fields)}"
            ) from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields})

    def to_dict(self) -> dict[str, Any]:
        """The document as Python values: a copy."""
        copied: dict[str, Any] = json.loads(json.dumps(self._fields))
        return copied

    def to_json(self, indent: int | None = 2) -> str:
        """The document as the program prints it with --json."""
        return json.dumps(self._fields, indent=indent, ensure_ascii=False)

    def to_pandas(self) -> pandas.DataFrame:
        """The table of the document as a data frame. Needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise UnsupportedError("to_pandas() needs pandas: pip install pandas") from error
        rows = self._fields[self._rows] if self._rows else [self._fields]
        return pandas.json_normalize(rows)

    def _summary(self) -> list[tuple[str, str]]:
        """Rows of the summary in notebooks and of repr(): name and value."""
        return [
            (name, str(value))
            for name, value in self.items()
            if isinstance(value, (str, int, float, bool, Interval))
        ]

    def __repr__(self) -> str:
        rows = ", ".join(f"{name}={value}" for name, value in self._summary()[:8])
        return f"{type(self).__name__}({rows})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self._summary()
        )
        return f"<table>{rows}</table>"
