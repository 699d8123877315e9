// Sliders for clock, batch and precision that move over curves the document already holds: nothing is asked for.

import "./predict.css";
import { h, replaceChildren } from "../base/dom";
import { selectField, sliderField } from "../base/fields";
import { clock } from "../base/format";
import { keepSome, keptParameters } from "../base/kept_parameters";
import { refresh } from "../charts/chart";
import type { ViewContext } from "../documents/views";
import { batchesChart } from "./batches_chart";
import type { Chosen } from "./clock_chart";
import { clockChart } from "./clock_chart";
import { clockCharts } from "./clock_charts";
import type { ForecastCurve, ForecastPoint } from "./forecast";
import { energyDelay, least, nearest } from "./forecast";
import { pointFacts } from "./point_facts";

// The parameters of the address that the sliders keep.
export const explorerParameters = ["at-clock", "at-batch", "at-precision"] as const;

// `asked` is the document's own point: it is shown until a slider is moved.
export function explorer(curves: readonly ForecastCurve[], asked: ForecastPoint | null, simulated: boolean, context: ViewContext): HTMLElement {
  const kept = keptParameters();
  const batches = [...new Set(curves.map((curve) => curve.batch))].sort((a, b) => a - b);
  const precisions = [...new Set(curves.map((curve) => curve.precision))];
  const usual = curves.find((curve) => curve.usual) ?? curves[0]!;
  let curve = find(curves, Number(kept.get("at-batch") ?? usual.batch), kept.get("at-precision") ?? usual.precision) ?? usual;
  const keptClock = Number.parseFloat(kept.get("at-clock") ?? "") * 1e6;
  let point = Number.isFinite(keptClock) ? curve.points[nearest(curve.points, keptClock)]! : start(curve, asked);

  const clockSlider = sliderField({ name: "at-clock", label: "Clock", least: 0, most: curve.points.length - 1, write: () => clock(point.clock) });
  const batchSlider = sliderField({ name: "at-batch", label: "Batch", least: 0, most: batches.length - 1, write: (index) => String(batches[index] ?? "") });
  const precision = selectField({ name: "at-precision", label: "Precision", choices: precisions.map((value) => ({ value, label: value })) });
  const figures = h("div", { "data-facts": "predict" });
  const chosen = (): Chosen => ({ curve, point });
  const overClock = clockCharts.map((what) => clockChart(what, simulated, chosen));
  const all = batchesChart(curves, simulated, chosen);
  const charts = all === null ? overClock : [...overClock, all];
  let drawnCurve: ForecastCurve = curve;

  const show = () => {
    clockSlider.element.querySelector("input")?.setAttribute("max", String(curve.points.length - 1));
    clockSlider.write(String(nearest(curve.points, point.clock)));
    batchSlider.write(String(batches.indexOf(curve.batch)));
    precision.write(curve.precision);
    replaceChildren(figures, pointFacts(point, ownPoint(curve, asked)));
    for (const { figure, move } of charts) {
      if (curve === drawnCurve) move();
      else refresh(figure);
    }
    drawnCurve = curve;
  };
  const moved = () => {
    keepSome({ "at-clock": `${Math.round(point.clock / 1e6)}MHz`, "at-batch": String(curve.batch), "at-precision": curve.precision }, context.signal);
    show();
  };
  const pick = (index: number) => {
    point = curve.points[index] ?? point;
    moved();
  };
  clockSlider.element.addEventListener("input", () => pick(Number(clockSlider.read())));
  for (const field of [batchSlider, precision]) {
    field.element.addEventListener("input", () => {
      curve = find(curves, batches[Number(batchSlider.read())] ?? curve.batch, precision.read() ?? curve.precision) ?? curve;
      pick(nearest(curve.points, point.clock));
    });
  }
  const jump = (label: string, to: () => ForecastPoint | null) =>
    h("button", { type: "button", onclick: () => pick(curve.points.indexOf(to() ?? point)) }, label);
  show();
  return h(
    "div",
    { class: "explorer" },
    h(
      "form",
      { class: "form sliders", "aria-label": "Operating point", onsubmit: (event) => event.preventDefault() },
      clockSlider.element,
      batches.length > 1 && batchSlider.element,
      precisions.length > 1 && precision.element,
      h(
        "div",
        { class: "jumps" },
        jump("Its own clock", () => (curve.ownClock === null ? null : (curve.points[nearest(curve.points, curve.ownClock)] ?? null))),
        jump("Least energy", () => least(curve.points, (at) => at.energy.value)),
        jump("Least energy × time", () => least(curve.points, (at) => energyDelay(at).value)),
      ),
    ),
    figures,
    h("div", { class: "columns" }, charts.map(({ figure }) => figure)),
  );
}

// Another precision of the batch where this pair was not predicted.
function find(curves: readonly ForecastCurve[], batch: number, precision: string): ForecastCurve | undefined {
  return curves.find((curve) => curve.batch === batch && curve.precision === precision) ?? curves.find((curve) => curve.batch === batch);
}

function start(curve: ForecastCurve, asked: ForecastPoint | null): ForecastPoint {
  if (asked !== null && curve.usual) return asked;
  const at = asked?.clock ?? curve.ownClock ?? Infinity;
  return curve.points[nearest(curve.points, at)]!;
}

function ownPoint(curve: ForecastCurve, asked: ForecastPoint | null): ForecastPoint | null {
  if (curve.ownClock === null) return null;
  if (curve.usual && asked !== null && Math.abs(asked.clock - curve.ownClock) < 1e6) return asked;
  return curve.points[nearest(curve.points, curve.ownClock)] ?? null;
}
