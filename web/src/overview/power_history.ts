// Power of all devices over the last ten minutes, one line per device.

import { lineY, pointer, tip } from "@observablehq/plot";
import type { Gauge, Gauges } from "../api/types";
import { h } from "../base/dom";
import { withUnit } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import { refreshWhenIdle } from "../charts/refresh_when_idle";
import type { PowerReading } from "../devices/gauge_history";
import { readingsOf } from "../devices/gauge_history";
import { timeAxis } from "../devices/time_axis";

interface Row extends PowerReading {
  device: string;
  simulated: boolean;
}

export interface PowerHistory {
  element: HTMLElement;
  show: (gauges: Gauges) => void;
}

export function powerHistory(): PowerHistory {
  const place = h("div");
  let rows: readonly Row[] = [];
  let drawnFor = "";
  const show = (gauges: Gauges) => {
    const simulated = gauges.devices.every((gauge) => gauge.simulated);
    const name = (gauge: Gauge) => (gauge.simulated && !simulated ? `${gauge.id} (simulated)` : gauge.id);
    const histories = new Map(gauges.history.map((history) => [history.uuid, history]));
    rows = gauges.devices.flatMap((gauge) => readingsOf(histories.get(gauge.uuid)).map((reading) => ({ ...reading, device: name(gauge), simulated: gauge.simulated })));
    const devices = gauges.devices.map(name);
    if (devices.join() !== drawnFor) {
      drawnFor = devices.join();
      place.replaceChildren(figureOf(devices, simulated, () => rows));
    } else for (const figure of place.children) refreshWhenIdle(figure as HTMLElement);
  };
  return { element: place, show };
}

function figureOf(devices: readonly string[], simulated: boolean, rows: () => readonly Row[]): HTMLElement {
  return chart<Row>({
    id: "overview-power",
    title: "Power over the last ten minutes",
    simulated,
    columns: [{ key: "device", label: "device" }, { key: "time", label: "time", value: ({ time }) => time.toISOString() }, { key: "power_watts", label: "power", unit: "W" }, { key: "simulated", label: "simulated" }],
    rows,
    legend: devices.map((label, index) => ({ label, color: cssSeries(index), sign: "line" as const })),
    height: 260,
    draw: ({ colors, narrow }) => {
      const all = rows();
      const known = all.filter(({ power_watts }) => power_watts !== null);
      const color = ({ device }: Row) => series(devices.indexOf(device), colors);
      return {
        marginLeft: 52,
        x: timeAxis(all.map(({ time }) => time), narrow),
        y: { label: "power (W)", zero: true, nice: true, grid: true, ticks: 5 },
        marks: [
          lineY(all, { x: "time", y: "power_watts", z: "device", stroke: color, strokeWidth: 1.75 }),
          tip(known, pointer({ x: "time", y: "power_watts", title: ({ device, time, power_watts }: Row) => `${device}, ${time.toLocaleTimeString("en-GB")}\n${withUnit(power_watts, "W")}` })),
        ],
      };
    },
  });
}
