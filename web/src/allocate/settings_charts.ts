// Clock and bandwidth of every layer, as table 1 of the ARADA paper.

import type { Column } from "../base/columns";
import { clock, si } from "../base/format";
import type { Layer } from "./layers";
import type { Segment } from "./steps";
import { steps } from "./steps";

export interface Hardware {
  clock: number | null; // max, hertz
  bandwidth: number | null; // max, bytes per second
}

const name: Column<Layer> = { key: "name", label: "layer" };
const index: Column<Layer> = { key: "index", label: "index" };
const bound: Column<Layer> = { key: "bound", label: "bound" };
const rate = (value: number | null) => si(value, "B/s");

export function clockSteps(id: string, title: string, layers: readonly Layer[], hardware: Hardware, simulated: boolean): HTMLElement | null {
  return steps(layers, simulated, {
    id,
    title,
    ...(layers.some((layer) => layer.tailClock !== null)
      ? { caption: "A layer with two steps switches to its second clock after a stall; widths are shares of its work." }
      : {}),
    label: "clock (MHz)",
    color: 0,
    factor: 1e6,
    max: hardware.clock,
    segments: clockSegments,
    write: (layer) => (layer.tailClock === null ? clock(layer.clock) : `${clock(layer.clock)}, the last ${(layer.tailShare * 100).toFixed(1)} % of its work at ${clock(layer.tailClock)}`),
    columns: [
      index, name, bound,
      { key: "frequency_hz", label: "clock", value: (layer) => layer.clock, format: clock },
      { key: "tail_frequency_hz", label: "second clock", value: (layer) => layer.tailClock, format: clock },
      { key: "tail_share_of_work", label: "share of work at the second clock", value: (layer) => (layer.tailClock === null ? null : layer.tailShare) },
    ],
  });
}

export function bandwidthSteps(id: string, title: string, layers: readonly Layer[], hardware: Hardware, simulated: boolean): HTMLElement | null {
  return steps(layers, simulated, {
    id,
    title,
    label: "bandwidth (GB/s)",
    color: 2,
    factor: 1e9,
    max: hardware.bandwidth,
    segments: (layer) => (layer.bandwidth === null ? [] : [{ from: layer.index - 1, to: layer.index, value: layer.bandwidth }]),
    write: (layer) => rate(layer.bandwidth),
    columns: [
      index, name, bound,
      { key: "bandwidth_bytes_per_second", label: "bandwidth", value: (layer) => layer.bandwidth, format: rate },
      { key: "bandwidth_ratio", label: "share of max", value: (layer) => layer.bandwidthRatio },
    ],
  });
}

function clockSegments({ index: at, clock: first, tailClock, tailShare }: Layer): readonly Segment[] {
  if (first === null) return [];
  if (tailClock === null) return [{ from: at - 1, to: at, value: first }];
  const change = at - tailShare;
  return [{ from: at - 1, to: change, value: first }, { from: change, to: at, value: tailClock }];
}
