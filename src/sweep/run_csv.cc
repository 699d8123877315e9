#include "sweep/run_csv.h"

#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/internal_error.h"
#include "base/si_prefixes.h"
#include "base/text.h"
#include "device/plausible.h"
#include "profile/csv_lines.h"
#include "profile/named.h"

namespace ergon::sweep {
namespace {

// A column: writing the value of a row as text, and reading it back. read() returns false for an invalid
// text.
struct RunColumn {
  std::string_view name;
  std::string_view expected;  // for error messages
  std::function<std::string(const RunRow&)> text;
  std::function<bool(std::string_view, RunRow&)> read;
};

// Nine digits exceed the accuracy of every value and keep files small.
std::string short_text(double number) { return fmt::format("{:.9g}", number); }

// Column factories. `member` is a function from a row to one of its members.

// Valid values of a column.
template <typename Value>
struct Range {
  std::string_view text;  // for error messages
  bool (*contains)(Value value);
};
template <typename Value>
constexpr Range<Value> kNotNegative{"a number that is not negative", [](Value v) { return v >= Value{}; }};
constexpr Range<Watts> kPower{"a power from 0 to 5000 W", [](Watts power) {
                                return power >= Watts{} && power <= device::max_plausible_power(std::nullopt);
                              }};
constexpr Range<Hertz> kClock{"a clock from 0 to 10000 MHz",
                              [](Hertz clock) { return device::is_plausible(clock); }};

// A number that may be absent, in multiples of `unit`.
template <typename Value, typename Member>
RunColumn optional_number(std::string_view name, Member member, double unit,
                          const Range<Value>& range = kNotNegative<Value>) {
  return {name, range.text,
          [=](const RunRow& row) {
            const std::optional<Value>& value = member(row);
            return value ? short_text(value->si() / unit) : std::string();
          },
          [=, contains = range.contains](std::string_view text, RunRow& row) {
            if (text.empty()) return true;
            const auto number = parse_double(text);
            if (!number || !std::isfinite(*number * unit) || !contains(Value{*number * unit})) return false;
            member(row) = Value{*number * unit};
            return true;
          }};
}

template <typename Member>
RunColumn whole(std::string_view name, Member member) {
  return {name, "a whole number above 0", [=](const RunRow& row) { return std::to_string(member(row)); },
          [=](std::string_view text, RunRow& row) {
            const auto number = parse_int64(text);
            member(row) = number.value_or(0);
            return number && *number > 0;
          }};
}

template <typename Member>
RunColumn words(std::string_view name, Member member) {
  return {name, "a text", [=](const RunRow& row) { return member(row); },
          [=](std::string_view text, RunRow& row) {
            member(row) = text;
            return !text.empty();
          }};
}

template <typename Member>
RunColumn codes(std::string_view name, Member member) {
  return {name, "codes separated by ;",
          [=](const RunRow& row) { return fmt::format("{}", fmt::join(member(row), ";")); },
          [=](std::string_view text, RunRow& row) {
            if (text.empty()) return true;
            for (const std::string_view code : split(text, ';')) member(row).emplace_back(code);
            return true;
          }};
}

template <typename Member>
RunColumn boolean(std::string_view name, Member member) {
  return {name, "true or false",
          [=](const RunRow& row) { return std::string(member(row) ? "true" : "false"); },
          [=](std::string_view text, RunRow& row) {
            member(row) = text == "true";
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
  return {"temperature_celsius", "a temperature from -40 to 150 degrees Celsius",
          [](const RunRow& row) { return row.temperature ? short_text(row.temperature->degrees()) : ""; },
          [](std::string_view text, RunRow& row) {
            if (text.empty()) return true;
            const auto number = parse_double(text);
            if (!number || !device::is_plausible(Celsius{*number})) return false;
            row.temperature = Celsius{*number};
            return true;
          }};
}

RunColumn started_column() {
  return {"started_at", "a time, for example 2026-05-04T10:00:00Z",
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
      boolean(
          "simulated", [](auto& row) -> auto& { return row.simulated; }),
      words(
          "network", [](auto& row) -> auto& { return row.run.network; }),
      whole(
          "batch", [](auto& row) -> auto& { return row.run.batch; }),
      scenario_column(),
      optional_number<Hertz>(
          "clock_requested_mhz", [](auto& row) -> auto& { return row.run.clock; }, kMega, kClock),
      optional_number<Hertz>(
          "clock_observed_mhz", [](auto& row) -> auto& { return row.clock_observed; }, kMega, kClock),
      whole(
          "repetition", [](auto& row) -> auto& { return row.run.repetition; }),
      optional_number<Seconds>(
          "time_seconds", [](auto& row) -> auto& { return row.time; }, 1),
      optional_number<Watts>(
          "power_max_watts", [](auto& row) -> auto& { return row.power_max; }, 1, kPower),
      optional_number<Watts>(
          "power_mean_watts", [](auto& row) -> auto& { return row.power_mean; }, 1, kPower),
      optional_number<Joules>(
          "energy_joules", [](auto& row) -> auto& { return row.energy; }, 1),
      optional_number<Joules>(
          "energy_uncertainty_joules", [](auto& row) -> auto& { return row.energy_uncertainty; }, 1),
      temperature_column(),
      codes(
          "event_reasons", [](auto& row) -> auto& { return row.event_reasons; }),
      boolean(
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
    if (!column.read(text, read_back))
      return internal_error("{}: expected {}, not \"{}\"", column.name, column.expected, printable(text));
    if (&column != &columns().front()) line += ',';
    profile::append_field(line, text);
  }
  return line + '\n';
}

Run as_written(Run run) {
  const auto rounded = run.clock ? parse_double(short_text(run.clock->si() / kMega)) : std::nullopt;
  if (rounded) run.clock = Hertz{*rounded * kMega};
  return run;
}

Result<std::vector<RunRow>> parse_runs(std::string_view text, std::string_view source) {
  std::vector<profile::CsvLines::Column> expected;
  for (const RunColumn& column : columns()) expected.push_back({column.name, true});
  auto lines = profile::CsvLines::open(text, source, expected);
  if (!lines) return lines.error();
  std::vector<RunRow> rows;
  for (;;) {
    const auto more = lines->next();
    if (!more) return more.error();
    if (!*more) return rows;
    RunRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns().size(); ++i) {
      const auto field = lines->field(i);
      if (field && !columns()[i].read(*field, row)) return lines->unreadable(i, columns()[i].expected);
    }
  }
}

}  // namespace ergon::sweep
