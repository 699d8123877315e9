// Energy per sample over the clock, one line per batch.

import { lineY, pointer, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, number, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { Chosen, FollowingChart } from "./clock_chart";
import { clockMarker } from "./clock_marker";
import type { PredictedCurve, PredictedPoint } from "./prediction";
import { perSample } from "./prediction";

interface Row extends PredictedPoint {
  precision: string;
}

const columns: readonly Column<Row>[] = [
  { key: "batch", label: "batch" },
  { key: "precision", label: "precision" },
  { key: "clock_hertz", label: "clock", value: (row) => row.clock, format: (value) => clock(value) },
  { key: "energy_per_sample_joules", label: "energy per sample", value: (row) => perSample(row).value, format: (value) => si(value, "J") },
  { key: "samples_per_second", label: "samples/s", value: speed, format: (value) => number(value, 4) },
];

export function batchesChart(curves: readonly PredictedCurve[], simulated: boolean, chosen: () => Chosen): FollowingChart | null {
  const batches = [...new Set(curves.map((curve) => curve.batch))].sort((a, b) => a - b);
  if (batches.length < 2) return null;
  const marker = clockMarker(() => chosen().point);
  const rows = () => curves.filter((curve) => curve.precision === chosen().curve.precision).flatMap((curve) => curve.points.map((point): Row => ({ ...point, precision: curve.precision })));
  const figure = chart({
    id: "predict-batches",
    title: "Energy per sample by batch",
    caption: "Larger batches share launches and weight transfers. Logarithmic energy axis.",
    simulated,
    columns,
    rows,
    legend: [{ label: "selected batch", color: cssSeries(2), sign: "line" }, { label: `batches ${batches.join(", ")}`, color: cssColor("muted"), sign: "line" }],
    height: (width) => Math.round(Math.min(360, Math.max(230, width * 0.5))),
    draw: (surface) => {
      const { colors, narrow } = surface;
      const batch = chosen().curve.batch;
      const shown = rows().filter((row) => (perSample(row).value ?? 0) > 0);
      const scale = scaleFor(shown.map((row) => perSample(row).value ?? 0), "J");
      const y = (row: PredictedPoint) => (perSample(row).value ?? NaN) / scale.factor;
      const place = { x: (row: PredictedPoint) => row.clock / 1e6, y };
      const [top, bottom] = [batches[0], batches[batches.length - 1]].map((end) => shown.filter((row) => row.batch === end));
      const name = (row: Row) => `batch ${row.batch}`;
      return marker.drawn(surface, {
        marginLeft: 54,
        x: { label: "clock (MHz)", ticks: narrow ? 4 : 8 },
        y: { ...logAxis(shown.map(y)).options, label: `energy per sample (${scale.unit})`, grid: true },
        marks: [
          lineY(shown.filter((row) => row.batch !== batch), { ...place, z: "batch", stroke: colors.muted, strokeOpacity: 0.6 }),
          lineY(shown.filter((row) => row.batch === batch), { ...place, stroke: series(2, colors), strokeWidth: 2.5 }),
          label(top!.slice(0, 1), { ...place, text: name, textAnchor: "start", dx: 6, dy: -8, fill: colors.muted }),
          label(bottom!.slice(-1), { ...place, text: name, textAnchor: "end", dx: -8, dy: 14, fill: colors.muted }),
          tip(shown, pointer({ ...place, title: (row: Row) => `batch ${row.batch}, ${row.precision}\n${clock(row.clock)}\n${si(perSample(row).value, "J", 4)} per sample\n${number(speed(row), 4)} samples/s` })),
        ],
      }, y);
    },
  });
  return { figure, move: marker.move };
}

function speed(point: PredictedPoint): number | null {
  return point.time.value === null || point.time.value === 0 ? null : point.batch / point.time.value;
}
