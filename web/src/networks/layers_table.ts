import type { Column } from "../base/columns";
import { bytes, count, number, si } from "../base/format";
import { table } from "../charts/table";
import type { Layer } from "./inspection";

const columns: readonly Column<Layer>[] = [
  { key: "layer", label: "layer", value: (layer) => layer.index },
  { key: "name", label: "name" },
  { key: "type", label: "type" },
  { key: "operation", label: "operation" },
  { key: "output_shape", label: "output shape", value: (layer) => layer.shape },
  { key: "params", label: "parameters", format: (value) => count(value) },
  { key: "macs", label: "MACs", format: (value) => si(value, "") },
  { key: "flops", label: "FLOPs", format: (value) => si(value, "") },
  { key: "bytes", label: "memory traffic", format: (value) => bytes(value) },
  { key: "intensity_flops_per_byte", label: "arithmetic intensity", unit: "FLOP/B", value: (layer) => layer.intensity, format: (value) => number(value) },
];

export function layersTable(layers: readonly Layer[], simulated: boolean): HTMLElement {
  return table({ label: "Layers of the network", columns, rows: layers, csvName: "layers", simulated });
}
