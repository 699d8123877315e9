// Stacked bars of a quantity of every layer.

import { pointerX, rectY, ruleY, stackY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { SimulatedLayer } from "./simulation";

export interface Part {
  label: string;
  series: number;
  value: (layer: SimulatedLayer) => number | null;
}

interface Piece {
  layer: SimulatedLayer;
  part: Part;
  amount: number;
}

interface StackOptions {
  id: string;
  title: string;
  caption?: string;
  simulated: boolean;
  layers: readonly SimulatedLayer[];
  parts: readonly Part[];
  columns: readonly Column<SimulatedLayer>[];
  unit: string;
  write: (value: number) => string;
  max?: number; // of the axis, for example 100 for percent
}

export function layerStack(options: StackOptions): HTMLElement {
  const { layers, parts, write } = options;
  const pieces = layers.flatMap((layer) => parts.flatMap((part): Piece[] => {
    const amount = part.value(layer);
    return amount === null ? [] : [{ layer, part, amount }];
  }));
  return chart({
    id: options.id,
    title: options.title,
    ...(options.caption === undefined ? {} : { caption: options.caption }),
    simulated: options.simulated,
    columns: options.columns,
    rows: layers,
    ...(parts.length > 1 ? { legend: parts.map(({ label, series: index }) => ({ label, color: cssSeries(index) })) } : {}),
    height: 250,
    draw: ({ colors, narrow }) => {
      const sums = layers.map((layer) => parts.reduce((sum, part) => sum + (part.value(layer) ?? 0), 0));
      const scale = options.max === undefined ? scaleFor(sums, options.unit) : { factor: 1, unit: options.unit };
      const text = (layer: SimulatedLayer) => [`${layer.index}: ${layer.name}`, ...parts.map((part) => `${part.label}: ${formatted(part.value(layer), write)}`)].join("\n");
      return {
        marginLeft: 54,
        x: { label: "layer", domain: [0.4, layers.length + 0.6], ticks: narrow ? 4 : 8, tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : "") },
        y: { label: scale.unit, grid: true, ticks: 5, ...(options.max === undefined ? {} : { domain: [0, options.max] }) },
        marks: [
          ruleY([0]),
          rectY(pieces, stackY({
            x1: (piece: Piece) => piece.layer.index - 0.4, x2: (piece: Piece) => piece.layer.index + 0.4, y: (piece: Piece) => piece.amount / scale.factor,
            fill: (piece: Piece) => series(piece.part.series, colors),
          })),
          tip(layers, pointerX({ x: "index", y: (layer: SimulatedLayer) => (sums[layer.index - 1] ?? 0) / scale.factor, title: text })),
        ],
      };
    },
  });
}

function formatted(value: number | null, write: (value: number) => string): string {
  return value === null ? "unknown" : write(value);
}
