// View of ergon.zoo: all networks by parameters and MACs.

import { dot, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { h, replaceChildren } from "../base/dom";
import { textField } from "../base/fields";
import { count, si } from "../base/format";
import type { Colors } from "../base/palette";
import { cssColor, cssSeries, series } from "../base/palette";
import { linkTo } from "../base/router";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import { table } from "../charts/table";
import type { View } from "../documents/views";
import { isLive } from "./roofs";
import type { ZooNetwork } from "./zoo";
import { readZoo } from "./zoo";

const columns: readonly Column<ZooNetwork>[] = [
  { key: "network", label: "network", value: (network) => network.id },
  { key: "family", label: "family" },
  { key: "input", label: "input" },
  { key: "layers", label: "layers" },
  { key: "depth", label: "depth" },
  { key: "params", label: "parameters", format: (value) => si(value, "") },
  { key: "macs", label: "MACs", format: (value) => si(value, "") },
  { key: "activations", label: "activations", format: (value) => si(value, "") },
  { key: "neurons", label: "neurons", format: (value) => si(value, "") },
];
const coloredFamilies = 7;

export const zooView: View = ({ body, simulated }, context) => {
  const networks = readZoo(body);
  return h(
    "section",
    null,
    h("h2", null, `Zoo: ${networks.length} networks`),
    scatter(networks, simulated),
    searchableTable(networks, simulated, isLive(context)),
  );
};

function scatter(networks: readonly ZooNetwork[], simulated: boolean): HTMLElement {
  const families = familiesBySize(networks);
  const shown = networks.filter((network) => (network.params ?? 0) > 0 && (network.macs ?? 0) > 0);
  const rest = families.slice(coloredFamilies);
  return chart({
    id: "zoo-scatter",
    title: "Parameters and MACs per sample",
    simulated,
    columns,
    rows: networks,
    legend: [
      ...families.slice(0, coloredFamilies).map((label, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
      ...(rest.length > 0 ? [{ label: rest.join(", "), color: cssColor("muted"), sign: "dot" as const }] : []),
    ],
    draw: ({ colors, narrow }) => ({
      marginLeft: 52,
      x: { ...logAxis(shown.map(millions), narrow).options, label: "parameters (millions)" },
      y: { ...logAxis(shown.map(billions)).options, label: "MACs (billions)", grid: true },
      marks: [
        dot(shown, { x: millions, y: billions, r: 4, fill: (network: ZooNetwork) => familyColor(families, network, colors), fillOpacity: 0.75 }),
        tip(shown, pointer({ x: millions, y: billions, title: (network: ZooNetwork) => `${network.id} (${network.family})\n${si(network.params, "")} parameters\n${si(network.macs, "")} MACs\n${count(network.layers)} layers, input ${network.input}` })),
      ],
    }),
  });
}

const millions = (network: ZooNetwork) => (network.params ?? 0) / 1e6;
const billions = (network: ZooNetwork) => (network.macs ?? 0) / 1e9;

function familiesBySize(networks: readonly ZooNetwork[]): readonly string[] {
  const sizes = new Map<string, number>();
  for (const { family } of networks) sizes.set(family, (sizes.get(family) ?? 0) + 1);
  return [...sizes].sort((a, b) => b[1] - a[1]).map(([family]) => family);
}

function familyColor(families: readonly string[], network: ZooNetwork, colors: Colors): string {
  const index = families.indexOf(network.family);
  return index < coloredFamilies ? series(index, colors) : colors.muted;
}

function searchableTable(networks: readonly ZooNetwork[], simulated: boolean, linked: boolean): HTMLElement {
  const search = textField({ name: "search", label: "Search", hint: "part of a name or family" });
  const place = h("div");
  const draw = () => {
    const wanted = (search.read() ?? "").toLowerCase();
    const rows = networks.filter((network) => `${network.id} ${network.family}`.toLowerCase().includes(wanted));
    replaceChildren(place, table({
      label: "Networks", columns, rows, csvName: "networks", simulated,
      ...(linked ? { link: (network: ZooNetwork) => linkTo("networks", { network: network.id }) } : {}),
    }));
  };
  search.element.addEventListener("input", draw);
  draw();
  return h("div", null, h("div", { class: "form" }, search.element), place);
}
