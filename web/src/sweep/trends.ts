// Fitted trends of each network, for evaluations without points.

import { areaY, lineY, pointerX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clockMhz, si } from "../base/format";
import { cssSeries } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { smallMultiples } from "../charts/small_multiples";
import type { Curve } from "./curves";
import { markerMarks, markers } from "./curves";
import type { SweptNetwork, TrendPoint } from "./evaluation";
import { trend } from "./evaluation";

type Row = TrendPoint & { network: string };

export function hasTrends(network: SweptNetwork): boolean {
  return trend(network, "time_seconds").length > 0;
}

export function trends(networks: readonly SweptNetwork[], simulated: boolean, curve: Curve): HTMLElement {
  const write = (value: number) => si(value, curve.unit, 4);
  const columns: readonly Column<Row>[] = [
    { key: "network", label: "network" },
    { key: "clock_mhz", label: "clock", unit: "MHz" },
    { key: curve.quantity, label: curve.label, value: ({ fit }) => fit, format: write },
    { key: "low", label: "low", format: write },
    { key: "high", label: "high", format: write },
  ];
  return smallMultiples<Row>({
    id: `${curve.id}-trend`,
    title: curve.title,
    caption: "LOESS fits of all runs with 95 % intervals. One chart per network with its own scale.",
    simulated,
    columns,
    legend: [{ label: "trend", color: cssSeries(curve.series), sign: "line" }, { label: "95 % interval", color: cssSeries(curve.series), sign: "band" }, ...markers],
    charts: networks.map((network) => {
      const rows = () => trend(network, curve.quantity).map((point) => ({ ...point, network: network.title }));
      return {
        id: `${curve.id}-trend-${network.title}`,
        title: network.title,
        rows,
        draw: ({ colors }) => {
          const found = rows();
          const scale = scaleFor(found.map(({ fit, high }) => high ?? fit), curve.unit);
          const color = colors.series[curve.series] ?? colors.accent;
          const scaled = (value: number | null) => (value === null ? null : value / scale.factor);
          return {
            marginLeft: 44,
            x: { label: "clock (MHz)", ticks: 4 },
            y: { label: `${curve.label} (${scale.unit})`, ticks: 4, zero: true, grid: true },
            marks: [
              ...markerMarks(network, colors),
              areaY(found, { x: "clock_mhz", y1: ({ low }: Row) => scaled(low), y2: ({ high }: Row) => scaled(high), fill: color, fillOpacity: 0.25 }),
              lineY(found, { x: "clock_mhz", y: ({ fit }: Row) => scaled(fit), stroke: color, strokeWidth: 2 }),
              tip(found, pointerX({ x: "clock_mhz", y: ({ fit }: Row) => scaled(fit), title: (row: Row) => `${clockMhz(row.clock_mhz)}\n${write(row.fit)}${row.low === null || row.high === null ? "" : `\n${write(row.low)} to ${write(row.high)}`}` })),
            ],
          };
        },
      };
    }),
  });
}
