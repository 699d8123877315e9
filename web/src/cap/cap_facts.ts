import type { Fact } from "../charts/facts";
import { clock, clockMhz, count, counted, duration, number, percent, si, withUnit } from "../base/format";
import type { JsonObject } from "../documents/document";
import { flag, num, object } from "../documents/document";

export function capFacts(body: JsonObject): readonly Fact[] {
  const oracle = object(body, "oracle");
  const violation = num(body, "violation_seconds");
  const total = num(body, "duration_seconds");
  const share = violation === null || total === null || total === 0 ? null : violation / total;
  return [
    { label: "throughput (samples/s)", value: number(num(body, "throughput_samples_per_second"), 4), note: `settled ${number(num(body, "settled_throughput_samples_per_second"), 4)}` },
    {
      label: "share of the oracle",
      value: percent(num(body, "share_of_oracle")),
      note: oracle ? `oracle: batch ${count(num(oracle, "batch"))} at ${clock(num(oracle, "clock_hertz"))}, ${withUnit(num(oracle, "power_watts"), "W")}` : "no oracle for this device",
    },
    { label: "last power cap", value: withUnit(num(body, "cap_watts"), "W"), note: `power: mean ${withUnit(num(body, "power_mean_watts"), "W")}, max ${withUnit(num(body, "power_max_watts"), "W")}` },
    {
      label: "violation",
      value: violation === 0 ? "none" : si(violation, "s"),
      note: violation === 0 ? `in ${duration(total)}` : `${percent(share, 2)} of the time; longest ${si(num(body, "longest_violation_seconds"), "s")}; excess energy ${withUnit(num(body, "violation_watt_seconds"), "J", 3)}; settled ${si(num(body, "violation_once_settled_seconds"), "s")}`,
    },
    { label: "settled after", value: flag(body, "settled") === false ? "not settled" : si(num(body, "settle_seconds"), "s"), note: `${counted(num(body, "settle_decisions"), "decision")}, ${counted(num(body, "changes"), "change")}` },
    { label: "p99 latency", value: si(num(body, "latency_p99_seconds"), "s"), note: bound(body) },
    { label: "mean batch", value: withUnit(num(body, "mean_batch"), "", 3), note: num(body, "mean_clock_mhz") === null ? "default clock" : `mean clock ${clockMhz(num(body, "mean_clock_mhz"))}` },
  ];
}

function bound(body: JsonObject): string {
  const seconds = num(body, "latency_bound_seconds");
  return seconds === null ? "no max latency" : `max ${si(seconds, "s")}`;
}
