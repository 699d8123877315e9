// The clock and the bandwidth of every layer, as table 1 of the ARADA paper.

import type { Column } from "../base/columns";
import { clock, si } from "../base/format";
import type { Layer } from "./layers";
import type { Tread } from "./steps";
import { steps } from "./steps";

export interface Hardware {
  clock: number | null; // hertz, at most
  bandwidth: number | null; // bytes a second, at most
}

const name: Column<Layer> = { key: "name", label: "layer" };
const place: Column<Layer> = { key: "place", label: "place" };
const bound: Column<Layer> = { key: "bound", label: "bound" };
const rate = (value: number | null) => si(value, "B/s");

export function clockSteps(id: string, title: string, layers: readonly Layer[], hardware: Hardware, simulated: boolean): HTMLElement | null {
  return steps(layers, simulated, {
    id,
    title,
    ...(layers.some((layer) => layer.tailClock !== null)
      ? { caption: "A layer with two treads runs slow until a wait and at the second clock after it; the widths are shares of its work." }
      : {}),
    label: "clock (MHz)",
    colour: 0,
    factor: 1e6,
    most: hardware.clock,
    treads: clockTreads,
    write: (layer) => (layer.tailClock === null ? clock(layer.clock) : `${clock(layer.clock)}, the last ${(layer.tailShare * 100).toFixed(1)} % of its work at ${clock(layer.tailClock)}`),
    columns: [
      place, name, bound,
      { key: "frequency_hz", label: "clock", value: (layer) => layer.clock, format: clock },
      { key: "tail_frequency_hz", label: "second clock", value: (layer) => layer.tailClock, format: clock },
      { key: "tail_share_of_work", label: "work at the second", value: (layer) => (layer.tailClock === null ? null : layer.tailShare) },
    ],
  });
}

export function bandwidthSteps(id: string, title: string, layers: readonly Layer[], hardware: Hardware, simulated: boolean): HTMLElement | null {
  return steps(layers, simulated, {
    id,
    title,
    label: "bandwidth (GB/s)",
    colour: 2,
    factor: 1e9,
    most: hardware.bandwidth,
    treads: (layer) => (layer.bandwidth === null ? [] : [{ from: layer.place - 1, to: layer.place, value: layer.bandwidth }]),
    write: (layer) => rate(layer.bandwidth),
    columns: [
      place, name, bound,
      { key: "bandwidth_bytes_per_second", label: "bandwidth", value: (layer) => layer.bandwidth, format: rate },
      { key: "bandwidth_ratio", label: "of the most", value: (layer) => layer.bandwidthRatio },
    ],
  });
}

function clockTreads({ place: at, clock: first, tailClock, tailShare }: Layer): readonly Tread[] {
  if (first === null) return [];
  if (tailClock === null) return [{ from: at - 1, to: at, value: first }];
  const change = at - tailShare;
  return [{ from: at - 1, to: change, value: first }, { from: change, to: at, value: tailClock }];
}
