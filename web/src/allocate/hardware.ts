import { h } from "../base/dom";
import { clock, number, percent, si, unknown } from "../base/format";
import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";

// Hardware of a schedule in one sentence.
export function hardwareLine(body: JsonObject): HTMLElement {
  const hardware = object(body, "hardware");
  const machine = object(hardware, "machine");
  const name = [text(body, "accelerator"), text(body, "memory")].filter((word) => word !== null).join(" with ");
  return h(
    "p",
    { class: "lead" },
    `On ${name === "" ? unknown : name}: ${number(num(machine, "rows"))} × ${number(num(machine, "columns"))} PEs at up to ${clock(num(hardware, "frequency_max_hz"))}, ` +
      `${si(num(hardware, "bandwidth_max_bytes_per_second"), "B/s")}; clock step ${clock(num(hardware, "frequency_step_hz"))}, ` +
      `switch time ${si(num(hardware, "switch_seconds"), "s")} at ${percent(num(hardware, "switch_power_share"), 0)} of the power; voltage ${text(hardware, "voltage") ?? unknown}, at least ${percent(num(hardware, "voltage_min_ratio"), 0)}; leakage ${percent(num(hardware, "leakage_share"), 0)}.`,
  );
}
