// Sliders for clock, batch and precision over the curves of the document. No requests are sent.

import "./predict.css";
import { h, replaceChildren } from "../base/dom";
import { selectField, sliderField } from "../base/fields";
import { clock } from "../base/format";
import { updateParameters, pendingParameters } from "../base/address_parameters";
import { refresh } from "../charts/chart";
import type { ViewContext } from "../documents/views";
import { batchesChart } from "./batches_chart";
import type { Chosen } from "./clock_chart";
import { clockChart } from "./clock_chart";
import { clockCharts } from "./clock_charts";
import type { PredictedCurve, PredictedPoint } from "./prediction";
import { energyDelay, nearest, pointWithMin } from "./prediction";
import { pointFacts } from "./point_facts";

// Address parameters of the sliders.
export const explorerParameters = ["at-clock", "at-batch", "at-precision"] as const;

// `requested` is the point of the request; it is shown until a slider is moved.
export function explorer(curves: readonly PredictedCurve[], requested: PredictedPoint | null, simulated: boolean, context: ViewContext): HTMLElement {
  const parameters = pendingParameters();
  const batches = [...new Set(curves.map((curve) => curve.batch))].sort((a, b) => a - b);
  const precisions = [...new Set(curves.map((curve) => curve.precision))];
  const initial = curves.find((curve) => curve.isDefault) ?? curves[0]!;
  let curve = find(curves, Number(parameters.get("at-batch") ?? initial.batch), parameters.get("at-precision") ?? initial.precision) ?? initial;
  const storedClock = Number.parseFloat(parameters.get("at-clock") ?? "") * 1e6;
  let point = Number.isFinite(storedClock) ? curve.points[nearest(curve.points, storedClock)]! : start(curve, requested);

  const clockSlider = sliderField({ name: "at-clock", label: "Clock", min: 0, max: curve.points.length - 1, write: () => clock(point.clock) });
  const batchSlider = sliderField({ name: "at-batch", label: "Batch", min: 0, max: batches.length - 1, write: (index) => String(batches[index] ?? "") });
  const precision = selectField({ name: "at-precision", label: "Precision", choices: precisions.map((value) => ({ value, label: value })) });
  const figures = h("div", { "data-facts": "predict" });
  const chosen = (): Chosen => ({ curve, point });
  const overClock = clockCharts.map((what) => clockChart(what, simulated, chosen));
  const all = batchesChart(curves, simulated, chosen);
  const charts = all === null ? overClock : [...overClock, all];
  let drawnCurve: PredictedCurve = curve;

  const show = () => {
    clockSlider.element.querySelector("input")?.setAttribute("max", String(curve.points.length - 1));
    clockSlider.write(String(nearest(curve.points, point.clock)));
    batchSlider.write(String(batches.indexOf(curve.batch)));
    precision.write(curve.precision);
    replaceChildren(figures, pointFacts(point, defaultPoint(curve, requested)));
    for (const { figure, move } of charts) {
      if (curve === drawnCurve) move();
      else refresh(figure);
    }
    drawnCurve = curve;
  };
  const moved = () => {
    updateParameters({ "at-clock": `${Math.round(point.clock / 1e6)}MHz`, "at-batch": String(curve.batch), "at-precision": curve.precision }, context.signal);
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
  const jump = (label: string, to: () => PredictedPoint | null) =>
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
        jump("Default clock", () => (curve.defaultClock === null ? null : (curve.points[nearest(curve.points, curve.defaultClock)] ?? null))),
        jump("Min energy", () => pointWithMin(curve.points, (at) => at.energy.value)),
        jump("Min energy-delay product", () => pointWithMin(curve.points, (at) => energyDelay(at).value)),
      ),
    ),
    figures,
    h("div", { class: "columns" }, charts.map(({ figure }) => figure)),
  );
}

// Falls back to another precision of the batch.
function find(curves: readonly PredictedCurve[], batch: number, precision: string): PredictedCurve | undefined {
  return curves.find((curve) => curve.batch === batch && curve.precision === precision) ?? curves.find((curve) => curve.batch === batch);
}

function start(curve: PredictedCurve, requested: PredictedPoint | null): PredictedPoint {
  if (requested !== null && curve.isDefault) return requested;
  const at = requested?.clock ?? curve.defaultClock ?? Infinity;
  return curve.points[nearest(curve.points, at)]!;
}

function defaultPoint(curve: PredictedCurve, requested: PredictedPoint | null): PredictedPoint | null {
  if (curve.defaultClock === null) return null;
  if (curve.isDefault && requested !== null && Math.abs(requested.clock - curve.defaultClock) < 1e6) return requested;
  return curve.points[nearest(curve.points, curve.defaultClock)] ?? null;
}
