// Chosen operating point and default settings of each device.

import { dot, link, pointerY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent } from "../base/format";
import { cssColor } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { pointColumns, pointTip } from "./point_columns";
import type { OperatingPoint, TunedDevice } from "./tuning";

interface Row extends OperatingPoint {
  what: "choice" | "default";
}

const columns: readonly Column<Row>[] = [{ key: "what", label: "setting" }, ...pointColumns];

export function choicesChart(devices: readonly TunedDevice[], simulated: boolean): HTMLElement {
  const rows = devices.flatMap(({ choice, defaultPoint }): Row[] => [
    ...(choice ? [{ ...choice, what: "choice" as const }] : []),
    ...(defaultPoint ? [{ ...defaultPoint, what: "default" as const }] : []),
  ]);
  return chart({
    id: "tune-choices",
    title: "Energy per sample by device",
    caption: "Bars are 90 % intervals. Default: the same batch at the default clock and power limit.",
    simulated,
    columns,
    rows,
    legend: [{ label: "choice", color: cssColor("good"), sign: "dot" }, { label: "default settings", color: cssColor("bad"), sign: "dot" }],
    height: 80 + devices.length * 46,
    draw: ({ colors, narrow }) => {
      const scale = scaleFor(rows.map((row) => row.energyInterval.high ?? row.energy ?? 0), "J");
      const x = (row: Row) => (row.energy ?? NaN) / scale.factor;
      const end = (side: "low" | "high") => (row: Row) => (row.energyInterval[side] ?? NaN) / scale.factor;
      const color = (row: Row) => (row.what === "choice" ? colors.good : colors.bad);
      return {
        marginLeft: narrow ? 84 : 120,
        x: { label: `energy per sample (${scale.unit})`, grid: true, zero: true, ticks: narrow ? 4 : 8 },
        fy: { label: null, domain: devices.map(({ device }) => device), axis: "left" },
        y: { axis: null, domain: ["choice", "default"], type: "point", padding: 0.6 },
        marks: [
          link(rows, { x1: end("low"), x2: end("high"), y: "what", fy: "device", stroke: color, strokeWidth: 4, strokeOpacity: 0.3 }),
          dot(rows, { x, y: "what", fy: "device", fill: color, r: 5 }),
          tip(rows, pointerY({ x, y: "what", fy: "device", title: (row: Row) => `${row.what}: ${pointTip(row)}${savingOf(devices, row)}` })),
        ],
      };
    },
  });
}

function savingOf(devices: readonly TunedDevice[], row: Row): string {
  const saving = devices.find(({ device }) => device === row.device)?.saving ?? null;
  return row.what === "choice" && saving !== null ? `\nsaves ${percent(saving)}` : "";
}
