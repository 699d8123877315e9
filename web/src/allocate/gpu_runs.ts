// Clock over the operations, one small chart per scheme.

import { lineY, pointerX, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, count, si } from "../base/format";
import { series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

interface Run {
  scheme: string;
  first: number; // operation, from 1
  operations: number;
  clock_hertz: number;
  time_seconds: number | null;
  energy_joules: number | null;
}

const columns: readonly Column<Run>[] = [
  { key: "scheme", label: "scheme" },
  { key: "first", label: "first operation" },
  { key: "operations", label: "operations" },
  { key: "clock_hertz", label: "clock", format: clock },
  { key: "time_seconds", label: "time", format: (value) => si(value, "s") },
  { key: "energy_joules", label: "energy", format: (value) => si(value, "J") },
];

export function gpuRuns(body: JsonObject, highest: number | null, simulated: boolean): HTMLElement | null {
  const schemes = objects(body, "schemes").map((scheme) => ({ scheme, runs: runsOf(scheme) })).filter(({ runs }) => runs.length > 0);
  if (schemes.length === 0) return null;
  const used = schemes.flatMap(({ runs }) => runs.map((run) => run.clock_hertz));
  // All charts have the same axis, which does not start at 0.
  const domain = [(Math.min(...used) / 1e6) * 0.97, (Math.max(highest ?? 0, ...used) / 1e6) * 1.01] as const;
  return smallMultiples({
    id: "allocate-gpu-runs",
    title: "Clock over the operations, by scheme",
    caption: "Times and energies do not include clock switches.",
    simulated,
    columns,
    charts: schemes.map(({ scheme, runs }) => ({
      id: `allocate-gpu-runs-${text(scheme, "scheme") ?? "unnamed"}`,
      title: `${text(scheme, "scheme") ?? "unnamed"}, switches: ${count(num(scheme, "switches"))}`,
      rows: runs,
      draw: (surface) => draw(runs, domain, surface),
    })),
  });
}

function runsOf(scheme: JsonObject): readonly Run[] {
  return objects(scheme, "runs").flatMap((run): readonly Run[] => {
    const first = num(run, "first");
    const operations = num(run, "operations");
    const hertz = num(run, "clock_hertz");
    if (first === null || operations === null || hertz === null) return [];
    return [{ scheme: text(scheme, "scheme") ?? "unnamed", first: first + 1, operations, clock_hertz: hertz, time_seconds: num(run, "time_seconds"), energy_joules: num(run, "energy_joules") }];
  });
}

function draw(runs: readonly Run[], domain: readonly [number, number], { colors }: Surface): PlotOptions {
  const y = (run: Run) => run.clock_hertz / 1e6;
  const corners = runs.flatMap((run) => [{ x: run.first - 0.5, y: y(run) }, { x: run.first + run.operations - 0.5, y: y(run) }]);
  return {
    marginLeft: 44,
    x: { label: "operation", ticks: 4 },
    y: { label: "clock (MHz)", ticks: 4, grid: true, domain, nice: true },
    marks: [
      lineY(corners, { x: "x", y: "y", stroke: series(0, colors), strokeWidth: 1.5 }),
      tip(runs, pointerX({ x: (run: Run) => run.first + (run.operations - 1) / 2, y, title: tipText })),
    ],
  };
}

function tipText({ first, operations, clock_hertz, time_seconds, energy_joules }: Run): string {
  const which = operations === 1 ? `operation ${first}` : `operations ${first} to ${first + operations - 1}`;
  return `${which}\n${clock(clock_hertz)}\n${si(time_seconds, "s")}, ${si(energy_joules, "J")}`;
}
