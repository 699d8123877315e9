// Draws any document: numbers and strings as a list, arrays of objects as tables, nested objects collapsed.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { fieldName } from "../base/field_names";
import { bytes, number, percent, si, unknown } from "../base/format";
import { table } from "../charts/table";
import type { ErgonDocument, Json, JsonObject } from "./document";
import { isObject } from "./document";

const head = new Set(["schema", "ergon", "provenance"]);
const foldedDepth = 1;

export function genericView(document: ErgonDocument): HTMLElement {
  const fields = Object.entries(document.body).filter(([key]) => !head.has(key));
  return h("section", { class: "generic" }, h("h2", null, document.schema), drawFields(fields, 0));
}

// Draws a part of a document.
export function genericObject(value: JsonObject): HTMLElement {
  return drawFields(Object.entries(value), foldedDepth);
}

type Field = [string, Json | undefined];

function drawFields(fields: readonly Field[], depth: number): HTMLElement {
  const plain = fields.filter(([, value]) => isPlain(value));
  const nested = fields.filter(([, value]) => !isPlain(value) && !isEmpty(value));
  return h(
    "div",
    null,
    plain.length > 0 &&
      h("dl", { class: "fields" }, plain.map(([key, value]) => h("div", null, h("dt", null, fieldName(key).label), h("dd", null, plainText(key, value))))),
    nested.map(([key, value]) => drawNested(key, value, depth)),
  );
}

// Collapsed parts are built when they are opened, because a document may have thousands of rows.
function drawNested(key: string, value: Json | undefined, depth: number): HTMLElement {
  const { label, unit } = fieldName(key);
  const size = Array.isArray(value) ? ` (${value.length})` : "";
  const title = `${label}${unit ? `, ${unit}` : ""}${size}`;
  const build = () => (Array.isArray(value) ? drawList(label, value) : isObject(value) ? drawFields(Object.entries(value), depth + 1) : h("div"));
  if (depth < foldedDepth && isTable(value)) return h("section", null, h("h3", null, title), build());
  const details = h("details", { class: "nested" }, h("summary", null, title));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(build()));
  return details;
}

function drawList(label: string, values: readonly Json[]): HTMLElement {
  const rows = values.filter(isObject);
  if (rows.length === values.length) return drawTable(label, rows);
  if (values.every(isPlain)) return table({ label, columns: [{ key: "value", label }], rows: values.map((value) => ({ value })) });
  return h("pre", null, JSON.stringify(values, null, 1));
}

function drawTable(label: string, rows: readonly JsonObject[]): HTMLElement {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const flat = keys.filter((key) => rows.some((row) => row[key] !== undefined) && rows.every((row) => isPlain(row[key])));
  const deep = keys.filter((key) => !flat.includes(key) && rows.some((row) => !isEmpty(row[key])));
  const columns = flat.map((key): Column<JsonObject> => ({ key, label: fieldName(key).label, format: (value) => plainText(key, value) }));
  const name = flat[0];
  return h(
    "div",
    null,
    table({ label, columns, rows, csvName: label.replaceAll(" ", "-") }),
    deep.length > 0 && rows.length <= 200 && rows.map((row, index) => drawFolded(row, deep, name === undefined ? `${index + 1}` : plainText(name, row[name]))),
  );
}

function drawFolded(row: JsonObject, keys: readonly string[], title: string): HTMLElement {
  const details = h("details", { class: "nested" }, h("summary", null, title));
  const fields = keys.map((key): Field => [key, row[key]]).filter(([, value]) => !isEmpty(value));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(drawFields(fields, foldedDepth)));
  return details;
}

// Formats a value by the unit in its name: "power_watts", 31.2 -> "31.2 W".
export function plainText(key: string, value: Json | undefined): string {
  if (value === null || value === undefined) return unknown;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((entry) => plainText(key, entry as Json)).join(", ");
  if (typeof value !== "number") return String(value);
  const { unit } = fieldName(key);
  if (unit === "B" || unit === "B/s") return bytes(value) + unit.slice(1);
  if (unit === "MHz" || unit === "°C") return `${number(value, 4)} ${unit}`;
  if (/share|saving|mape|coverage/.test(key)) return percent(value);
  return unit === "" ? number(value, 4) : si(value, unit);
}

function isPlain(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.length <= 4 && value.every((entry) => typeof entry !== "object" || entry === null);
  return typeof value !== "object" || value === null;
}

function isEmpty(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (isObject(value) && Object.keys(value).length === 0);
}

function isTable(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
