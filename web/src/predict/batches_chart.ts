// What a sample costs in each batch, over the clock, for one precision.

import { lineY, pointer, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, number, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { Chosen, FollowingChart } from "./clock_chart";
import { clockMarker } from "./clock_marker";
import type { ForecastCurve, ForecastPoint } from "./forecast";
import { perSample } from "./forecast";

interface Row extends ForecastPoint {
  precision: string;
}

const columns: readonly Column<Row>[] = [
  { key: "batch", label: "batch" },
  { key: "precision", label: "precision" },
  { key: "clock_hertz", label: "clock", value: (row) => row.clock, format: (value) => clock(value) },
  { key: "energy_per_sample_joules", label: "energy of a sample", value: (row) => perSample(row).value, format: (value) => si(value, "J") },
  { key: "samples_per_second", label: "samples a second", value: speed, format: (value) => number(value, 4) },
];

export function batchesChart(curves: readonly ForecastCurve[], simulated: boolean, chosen: () => Chosen): FollowingChart | null {
  const batches = [...new Set(curves.map((curve) => curve.batch))].sort((a, b) => a - b);
  if (batches.length < 2) return null;
  const marker = clockMarker(() => chosen().point);
  const rows = () => curves.filter((curve) => curve.precision === chosen().curve.precision).flatMap((curve) => curve.points.map((point): Row => ({ ...point, precision: curve.precision })));
  const figure = chart({
    id: "predict-batches",
    title: "Energy of a sample in each batch",
    caption: "Larger batches share the launches and the weights among more samples. The energy axis is logarithmic.",
    simulated,
    columns,
    rows,
    legend: [{ label: "chosen batch", colour: cssSeries(2), sign: "line" }, { label: `batches ${batches.join(", ")}`, colour: cssColour("muted"), sign: "line" }],
    height: (width) => Math.round(Math.min(360, Math.max(230, width * 0.5))),
    draw: (surface) => {
      const { colours, narrow } = surface;
      const batch = chosen().curve.batch;
      const shown = rows().filter((row) => (perSample(row).value ?? 0) > 0);
      const scale = scaleFor(shown.map((row) => perSample(row).value ?? 0), "J");
      const y = (row: ForecastPoint) => (perSample(row).value ?? NaN) / scale.factor;
      const place = { x: (row: ForecastPoint) => row.clock / 1e6, y };
      const ends = [batches[0], batches[batches.length - 1]].flatMap((end) => shown.find((row) => row.batch === end) ?? []);
      return marker.drawn(surface, {
        marginLeft: 54,
        x: { label: "clock (MHz)", ticks: narrow ? 4 : 8 },
        y: { ...logAxis(shown.map(y)).options, label: `energy of a sample (${scale.unit})`, grid: true },
        marks: [
          lineY(shown.filter((row) => row.batch !== batch), { ...place, z: "batch", stroke: colours.muted, strokeOpacity: 0.6 }),
          lineY(shown.filter((row) => row.batch === batch), { ...place, stroke: series(2, colours), strokeWidth: 2.5 }),
          label(ends, { ...place, text: (row: Row) => `batch ${row.batch}`, textAnchor: "start", dx: 6, dy: -6, fill: colours.muted }),
          tip(shown, pointer({ ...place, title: (row: Row) => `batch ${row.batch}, ${row.precision}\n${clock(row.clock)}\n${si(perSample(row).value, "J", 4)} a sample\n${number(speed(row), 4)} samples a second` })),
        ],
      }, y);
    },
  });
  return { figure, move: marker.move };
}

function speed(point: ForecastPoint): number | null {
  return point.time.value === null || point.time.value === 0 ? null : point.batch / point.time.value;
}
