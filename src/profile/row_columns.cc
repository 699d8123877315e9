#include "profile/row_columns.h"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "device/plausible.h"
#include "profile/named.h"

namespace ergon::profile {
namespace {

// Each function makes a column of the row member that the accessor `Field` returns. Accessors have no state,
// so that a column consists of plain function pointers.

enum class Empty : std::uint8_t { fine, refused };

template <Empty empty, typename Field>
RowColumn words(std::string_view name, Field) {
  return {name, true, "a text", [](const Row& row) { return std::string(Field{}(row)); },
          [](std::string_view text, Row& row) {
            Field{}(row) = text;
            return empty == Empty::fine || !text.empty();
          }};
}

template <std::int64_t min, typename Field>
RowColumn whole(std::string_view name, Field) {
  return {name, true, min == 0 ? "a whole number" : "a whole number above 0",
          [](const Row& row) { return std::to_string(Field{}(row)); },
          [](std::string_view text, Row& row) {
            const auto number = parse_int64(text);
            Field{}(row) = number.value_or(0);
            return number && *number >= min;
          }};
}

double number_of(double number) { return number; }
double number_of(Celsius temperature) { return temperature.degrees(); }
template <Dimension D>
double number_of(Quantity<D> quantity) {
  return quantity.si();
}

struct Exact {
  static std::string text(double number) { return shortest_text(number); }
};
// One nanosecond in a second: the resolution of the clock, far better than that of the sensors.
struct NineDigits {
  static std::string text(double number) { return fmt::format("{:.9g}", number); }
};

// The valid numbers of a column. The board of a row is not known here, only what no board exceeds.
struct NotNegative {
  static constexpr std::string_view kText = "a number that is not negative";
  static bool contains(double number) { return number >= 0; }
};
struct PlausiblePower {
  static constexpr std::string_view kText = "a power from 0 to 5000 W";
  static bool contains(double watts) {
    return watts >= 0 && Watts{watts} <= device::max_plausible_power(std::nullopt);
  }
};
struct PlausibleClock {
  static constexpr std::string_view kText = "a clock from 0 to 1e10 Hz";
  static bool contains(double hertz) { return device::is_plausible(Hertz{hertz}); }
};
struct PlausibleTemperature {
  static constexpr std::string_view kText = "a temperature from -40 to 150 degrees Celsius";
  static bool contains(double degrees) { return device::is_plausible(Celsius{degrees}); }
};

template <typename Written, typename Range, typename Field>
RowColumn maybe(std::string_view name, Field) {
  return {name, false, Range::kText,
          [](const Row& row) {
            const Field field;
            const auto& value = field(row);
            return value ? Written::text(number_of(*value)) : std::string();
          },
          [](std::string_view text, Row& row) {
            const Field field;
            auto& value = field(row);
            value.reset();
            if (text.empty()) return true;
            const auto number = parse_double(text);
            if (!number || !Range::contains(*number)) return false;
            value.emplace(*number);
            return true;
          }};
}

template <typename Field>
RowColumn clock(std::string_view name, Field field) {
  return maybe<Exact, PlausibleClock>(name, field);
}
template <typename Field>
RowColumn measured(std::string_view name, Field field) {
  return maybe<NineDigits, NotNegative>(name, field);
}
template <typename Field>
RowColumn power(std::string_view name, Field field) {
  return maybe<NineDigits, PlausiblePower>(name, field);
}
template <typename Field>
RowColumn temperature(std::string_view name, Field field) {
  return maybe<Exact, PlausibleTemperature>(name, field);
}

template <typename Field>
RowColumn truth(std::string_view name, Field) {
  return {name, true, "true or false",
          [](const Row& row) { return std::string(Field{}(row) ? "true" : "false"); },
          [](std::string_view text, Row& row) {
            Field{}(row) = text == "true";
            return text == "true" || text == "false";
          }};
}

template <auto... values, typename Field>
RowColumn choice(std::string_view name, std::string_view expected, Field) {
  return {name, true, expected, [](const Row& row) { return std::string(name_of(Field{}(row))); },
          [](std::string_view text, Row& row) {
            const auto value = named(text, {values...});
            if (value) Field{}(row) = *value;
            return value.has_value();
          }};
}

RowColumn reasons() {
  return {"reasons", true, "codes",
          [](const Row& row) { return fmt::format("{}", fmt::join(row.reasons, ";")); },
          [](std::string_view text, Row& row) {
            row.reasons.clear();
            if (text.empty()) return true;
            for (const std::string_view reason : split(text, ';')) row.reasons.emplace_back(reason);
            return true;
          }};
}

RowColumn moment() {
  return {"at", true, "a time such as 2024-05-01T12:00:00Z", [](const Row& row) { return to_text(row.at); },
          [](std::string_view text, Row& row) {
            const auto at = parse_timestamp(text);
            row.at = at.value_or(Timestamp{});
            return at.has_value();
          }};
}

// A network's id is its name.
RowColumn network_name() {
  return {"network", true, "a name", [](const Row& row) { return row.subject.id; },
          [](std::string_view text, Row& row) {
            row.subject.id = row.subject.name = text;
            return !text.empty();
          }};
}

#define FIELD(member) ([](auto& row) -> auto& { return row.member; })

std::vector<RowColumn> subject_columns(Subject::Kind kind) {
  std::vector<RowColumn> columns;
  if (kind == Subject::Kind::network) {
    columns = {network_name()};
  } else {
    columns = {words<Empty::refused>("id", FIELD(subject.id)),
               words<Empty::fine>("operation", FIELD(subject.name)),
               words<Empty::fine>("attributes", FIELD(subject.attributes))};
  }
  columns.push_back(words<Empty::fine>("inputs", FIELD(subject.inputs)));
  return columns;
}

// A column that older versions wrote under another name.
RowColumn renamed(std::string_view former_name, RowColumn column) {
  column.former_name = former_name;
  return column;
}

std::vector<RowColumn> columns_of(Subject::Kind kind) {
  using device::Precision;
  std::vector<RowColumn> columns = subject_columns(kind);
  const std::vector<RowColumn> others{
      whole<1>("batch", FIELD(condition.batch)),
      choice<graph::Mode::inference, graph::Mode::training>("mode", "inference or training",
                                                            FIELD(condition.mode)),
      choice<Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16>(
          "precision", device::kPrecisionList, FIELD(condition.precision)),
      choice<Layout::nchw, Layout::nhwc>("layout", "nchw or nhwc", FIELD(condition.layout)),
      choice<Launch::eager, Launch::replay>("launch", "eager or replay", FIELD(launch)),
      renamed("clock_asked_hertz", clock("requested_clock_hertz", FIELD(requested_clock))),
      words<Empty::fine>("device", FIELD(device)),
      whole<0>("repeat", FIELD(repeat)),
      choice<Status::measured, Status::out_of_memory, Status::unsupported, Status::failed>(
          "status", "measured, out_of_memory, unsupported or failed", FIELD(status)),
      words<Empty::fine>("detail", FIELD(detail)),
      whole<0>("iterations", FIELD(iterations)),
      whole<0>("instances", FIELD(instances)),
      measured("time_seconds", FIELD(time)),
      measured("time_deviation_seconds", FIELD(time_deviation)),
      measured("host_seconds", FIELD(host_time)),
      measured("proportion", FIELD(proportion)),
      power("power_watts", FIELD(power)),
      measured("power_deviation_watts", FIELD(power_deviation)),
      whole<0>("readings", FIELD(readings)),
      whole<0>("readings_dropped", FIELD(readings_dropped)),
      measured("energy_joules", FIELD(energy)),
      measured("energy_uncertainty_joules", FIELD(energy_uncertainty)),
      measured("energy_statistical_joules", FIELD(energy_statistical)),
      renamed("clock_slowest_hertz", clock("clock_min_hertz", FIELD(clock_min))),
      renamed("clock_fastest_hertz", clock("clock_max_hertz", FIELD(clock_max))),
      temperature("temperature_before_celsius", FIELD(temperature_before)),
      renamed("temperature_behind_celsius",
              temperature("temperature_after_celsius", FIELD(temperature_after))),
      whole<0>("macs", FIELD(macs)),
      whole<0>("flops", FIELD(flops)),
      whole<0>("bytes", FIELD(bytes)),
      whole<0>("weight_bytes", FIELD(weight_bytes)),
      truth("valid", FIELD(valid)),
      reasons(),
      truth("simulated", FIELD(simulated)),
      moment(),
      whole<0>("session", FIELD(session)),
  };
  columns.insert(columns.end(), others.begin(), others.end());
  return columns;
}

#undef FIELD

}  // namespace

std::span<const RowColumn> row_columns(Subject::Kind kind) {
  static const std::vector<RowColumn> operations = columns_of(Subject::Kind::operation);
  static const std::vector<RowColumn> networks = columns_of(Subject::Kind::network);
  return kind == Subject::Kind::operation ? operations : networks;
}

}  // namespace ergon::profile
