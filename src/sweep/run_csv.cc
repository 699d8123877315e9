#include "sweep/run_csv.h"

#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/si_prefixes.h"
#include "base/text.h"
#include "profile/csv_lines.h"
#include "profile/named.h"

namespace ergon::sweep {
namespace {

// How a row's value stands in a column: its text, and the way back, which fails where the text is no such
// value.
struct RunColumn {
  std::string_view name;
  std::string_view wants;
  std::function<std::string(const RunRow&)> text;
  std::function<bool(std::string_view, RunRow&)> read;
};

// Nine digits are more than anything here is known to, and keep files small.
std::string short_text(double number) { return fmt::format("{:.9g}", number); }

// Each of these makes a column of what `place` leads to, a function from a row to a part of it.

// A number that may be absent, in multiples of `unit`.
template <typename Value, typename Place>
RunColumn maybe(std::string_view name, Place place, double unit) {
  return {name, "a number",
          [=](const RunRow& row) {
            const std::optional<Value>& value = place(row);
            return value ? short_text(value->si() / unit) : std::string();
          },
          [=](std::string_view text, RunRow& row) {
            if (text.empty()) return true;
            const auto number = parse_double(text);
            if (!number || !std::isfinite(*number * unit)) return false;
            place(row) = Value{*number * unit};
            return true;
          }};
}

template <typename Place>
RunColumn whole(std::string_view name, Place place) {
  return {name, "a whole number above 0", [=](const RunRow& row) { return std::to_string(place(row)); },
          [=](std::string_view text, RunRow& row) {
            const auto number = parse_int64(text);
            place(row) = number.value_or(0);
            return number && *number > 0;
          }};
}

template <typename Place>
RunColumn words(std::string_view name, Place place) {
  return {name, "a text", [=](const RunRow& row) { return place(row); },
          [=](std::string_view text, RunRow& row) {
            place(row) = text;
            return !text.empty();
          }};
}

template <typename Place>
RunColumn codes(std::string_view name, Place place) {
  return {name, "codes separated by ;",
          [=](const RunRow& row) { return fmt::format("{}", fmt::join(place(row), ";")); },
          [=](std::string_view text, RunRow& row) {
            if (text.empty()) return true;
            for (const std::string_view code : split(text, ';')) place(row).emplace_back(code);
            return true;
          }};
}

template <typename Place>
RunColumn truth(std::string_view name, Place place) {
  return {name, "true or false",
          [=](const RunRow& row) { return std::string(place(row) ? "true" : "false"); },
          [=](std::string_view text, RunRow& row) {
            place(row) = text == "true";
            return text == "true" || text == "false";
          }};
}

RunColumn scenario_column() {
  return {"scenario", "steady or execution",
          [](const RunRow& row) { return std::string(name_of(row.run.scenario)); },
          [](std::string_view text, RunRow& row) {
            const auto scenario = profile::named(text, {Scenario::steady, Scenario::execution});
            row.run.scenario = scenario.value_or(Scenario::steady);
            return scenario.has_value();
          }};
}

RunColumn temperature_column() {
  return {"temperature_celsius", "a number",
          [](const RunRow& row) { return row.temperature ? short_text(row.temperature->degrees()) : ""; },
          [](std::string_view text, RunRow& row) {
            if (text.empty()) return true;
            const auto number = parse_double(text);
            if (number) row.temperature = Celsius{*number};
            return number.has_value();
          }};
}

RunColumn started_column() {
  return {"started_at", "a moment such as 2026-05-04T10:00:00Z",
          [](const RunRow& row) { return to_text(row.started_at); },
          [](std::string_view text, RunRow& row) {
            const auto moment = parse_timestamp(text);
            if (moment) row.started_at = *moment;
            return moment.has_value();
          }};
}

const std::array<RunColumn, 18>& columns() {
  static const std::array<RunColumn, 18> all{
      words(
          "device", [](auto& row) -> auto& { return row.device; }),
      truth(
          "simulated", [](auto& row) -> auto& { return row.simulated; }),
      words(
          "network", [](auto& row) -> auto& { return row.run.network; }),
      whole(
          "batch", [](auto& row) -> auto& { return row.run.batch; }),
      scenario_column(),
      maybe<Hertz>(
          "clock_requested_mhz", [](auto& row) -> auto& { return row.run.clock; }, kMega),
      maybe<Hertz>(
          "clock_observed_mhz", [](auto& row) -> auto& { return row.clock_observed; }, kMega),
      whole(
          "repetition", [](auto& row) -> auto& { return row.run.repetition; }),
      maybe<Seconds>(
          "time_seconds", [](auto& row) -> auto& { return row.time; }, 1),
      maybe<Watts>(
          "power_max_watts", [](auto& row) -> auto& { return row.power_max; }, 1),
      maybe<Watts>(
          "power_mean_watts", [](auto& row) -> auto& { return row.power_mean; }, 1),
      maybe<Joules>(
          "energy_joules", [](auto& row) -> auto& { return row.energy; }, 1),
      maybe<Joules>(
          "energy_uncertainty_joules", [](auto& row) -> auto& { return row.energy_uncertainty; }, 1),
      temperature_column(),
      codes(
          "event_reasons", [](auto& row) -> auto& { return row.event_reasons; }),
      truth(
          "valid", [](auto& row) -> auto& { return row.valid; }),
      codes(
          "reasons", [](auto& row) -> auto& { return row.reasons; }),
      started_column(),
  };
  return all;
}

}  // namespace

std::string run_header() {
  std::string line;
  for (const RunColumn& column : columns()) {
    if (!line.empty()) line += ',';
    line += column.name;
  }
  return line + '\n';
}

Result<std::string> run_line(const RunRow& row) {
  std::string line;
  RunRow read_back;
  for (const RunColumn& column : columns()) {
    const std::string text = column.text(row);
    if (!column.read(text, read_back)) {
      return fail(Errc::invalid_input, "{} wants {}, not \"{}\"", column.name, column.wants, printable(text));
    }
    if (&column != &columns().front()) line += ',';
    profile::append_field(line, text);
  }
  return line + '\n';
}

Run as_written(Run run) {
  const auto kept = run.clock ? parse_double(short_text(run.clock->si() / kMega)) : std::nullopt;
  if (kept) run.clock = Hertz{*kept * kMega};
  return run;
}

Result<std::vector<RunRow>> parse_runs(std::string_view text, std::string_view source) {
  std::vector<profile::CsvLines::Column> wanted;
  for (const RunColumn& column : columns()) wanted.push_back({column.name, true});
  auto lines = profile::CsvLines::open(text, source, wanted);
  if (!lines) return lines.error();
  std::vector<RunRow> rows;
  for (;;) {
    const auto more = lines->next();
    if (!more) return more.error();
    if (!*more) return rows;
    RunRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns().size(); ++i) {
      const auto field = lines->field(i);
      if (field && !columns()[i].read(*field, row)) return lines->unreadable(i, columns()[i].wants);
    }
  }
}

}  // namespace ergon::sweep
