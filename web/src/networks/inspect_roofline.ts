// Roofline charts of a network's operations on selected devices.

import { h, replaceChildren } from "../base/dom";
import { choicesField, selectField } from "../base/fields";
import { si } from "../base/format";
import { updateParameters } from "../base/address_parameters";
import type { ViewContext } from "../documents/views";
import { boundCounts } from "./bound_counts";
import type { Operation } from "./inspection";
import { intensityChart } from "./intensity_chart";
import type { RoofPicture } from "./roofline_multiples";
import { rooflines } from "./roofline_multiples";
import type { Spot } from "./roofline_picture";
import type { Device, Roof } from "./roofs";
import { bytesPerNumber, devicesFor, precisions, roofOf } from "./roofs";

const defaultDevices = ["h200", "a100-sxm-80", "a30", "rtx2080ti"];

export function inspectRoofline(operations: readonly Operation[], simulated: boolean, context: ViewContext): HTMLElement {
  const place = h("div", { class: "loading", "aria-busy": "true" });
  void devicesFor(context).then((devices) => {
    place.removeAttribute("aria-busy");
    if (context.signal.aborted) return;
    replaceChildren(place, devices.length === 0 ? intensityChart(operations, simulated) : chooser(operations, devices, context));
  });
  return place;
}

function chooser(operations: readonly Operation[], devices: readonly Device[], context: ViewContext): HTMLElement {
  const defaults = devices.filter(({ id }) => defaultDevices.includes(id));
  const chosen = choicesField({
    name: "roofs",
    label: "Devices",
    choices: devices.map(({ id, title }) => ({ value: id, label: title.replace(/^NVIDIA /, "") })),
    value: context.parameters.get("roofs") ?? (defaults.length > 0 ? defaults : devices).slice(0, 4).map(({ id }) => id).join(","),
  });
  const precision = selectField({
    name: "roof-precision",
    label: "Precision",
    choices: precisions.map((value) => ({ value, label: value })),
    value: context.parameters.get("roof-precision") ?? "tf32",
  });
  const pictures = h("div");
  const draw = () => {
    const selected = new Set((chosen.read() ?? "").split(","));
    const roofs = devices.filter(({ id }) => selected.has(id)).flatMap((device) => roofOf(device, precision.read() ?? "tf32") ?? []);
    replaceChildren(pictures, drawn(operations, roofs, precision.read() ?? "tf32"));
  };
  const controls = h("form", { class: "form", "aria-label": "Devices of the rooflines" }, chosen.element, precision.element);
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("input", () => {
    updateParameters({ roofs: chosen.read(), "roof-precision": precision.read() }, context.signal);
    draw();
  });
  draw();
  return h("div", null, controls, pictures);
}

function drawn(operations: readonly Operation[], roofs: readonly Roof[], requested: string): readonly HTMLElement[] {
  if (roofs.length === 0) return [h("p", null, "Select a device to see its roofline.")];
  const pictures = roofs.map((roof): RoofPicture => ({
    id: roof.device,
    title: `${roof.device}, ${roof.precision}${roof.precision === requested ? "" : ` (no ${requested})`}`,
    roof,
    spots: spotsBelow(operations, roof),
  }));
  const skipped = operations.filter((operation) => !((operation.intensity ?? 0) > 0)).length;
  const caption =
    `Each dot is an operation at its attainable rate; its size is its share of the min time. Every tensor is transferred once, ` +
    `${bytesPerNumber(requested)} bytes per value.${skipped > 0 ? ` ${skipped} ${skipped === 1 ? "operation" : "operations"} without FLOPs omitted.` : ""} ` +
    roofs.map((roof) => `${roof.device}: ${si(roof.peak, "FLOP/s")}, ${si(roof.bandwidth, "B/s")}`).join("; ") + ".";
  return [
    rooflines({ id: "inspect-roofline", title: "Rooflines of the devices", caption, simulated: true, pictures }),
    boundCounts({ id: "inspect-bounds", what: "operations", simulated: true, pictures }),
  ];
}

function spotsBelow(operations: readonly Operation[], roof: Roof): readonly Spot[] {
  const shrink = 4 / bytesPerNumber(roof.precision);
  const spots = operations.flatMap((operation): (Spot & { seconds: number })[] => {
    if (operation.intensity === null || operation.intensity <= 0 || operation.flops === null) return [];
    const intensity = operation.intensity * shrink;
    const attainable = Math.min(roof.peak, intensity * roof.bandwidth);
    const bound = intensity * roof.bandwidth < roof.peak ? "memory" : "compute";
    return [{ name: `${operation.name}, ${operation.count}×`, kind: operation.kind, intensity, attainable, attained: null, bound, size: 0, seconds: operation.flops / attainable }];
  });
  const total = spots.reduce((sum, spot) => sum + spot.seconds, 0);
  return spots.map((spot) => ({ ...spot, size: total === 0 ? 0 : spot.seconds / total }));
}
