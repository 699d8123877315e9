#include "profile/row_columns.h"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "profile/named.h"

namespace ergon::profile {
namespace {

// Each of these makes a column of what `place`, a function from a row to a part of it, leads to. A place has
// no state: columns are tables of plain functions.

enum class Empty : std::uint8_t { fine, refused };

template <Empty empty, typename Place>
RowColumn words(std::string_view name, Place) {
  return {name, true, "a text", [](const Row& row) { return std::string(Place{}(row)); },
          [](std::string_view text, Row& row) {
            Place{}(row) = text;
            return empty == Empty::fine || !text.empty();
          }};
}

template <std::int64_t least, typename Place>
RowColumn whole(std::string_view name, Place) {
  return {name, true, least == 0 ? "a whole number" : "a whole number above 0",
          [](const Row& row) { return std::to_string(Place{}(row)); },
          [](std::string_view text, Row& row) {
            const auto number = parse_int64(text);
            Place{}(row) = number.value_or(0);
            return number && *number >= least;
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
// A nanosecond in a second: clocks do not know more, sensors far less, and files stay small.
struct NineDigits {
  static std::string text(double number) { return fmt::format("{:.9g}", number); }
};

enum class Sign : std::uint8_t { any, not_negative };

template <typename Written, Sign sign, typename Place>
RowColumn maybe(std::string_view name, Place) {
  return {name, false, sign == Sign::any ? "a number" : "a number that is not negative",
          [](const Row& row) {
            const Place place;
            const auto& value = place(row);
            return value ? Written::text(number_of(*value)) : std::string();
          },
          [](std::string_view text, Row& row) {
            const Place place;
            auto& value = place(row);
            value.reset();
            if (text.empty()) return true;
            const auto number = parse_double(text);
            if (!number || (sign == Sign::not_negative && *number < 0)) return false;
            value.emplace(*number);
            return true;
          }};
}

template <typename Place>
RowColumn amount(std::string_view name, Place place) {
  return maybe<Exact, Sign::not_negative>(name, place);
}
template <typename Place>
RowColumn measured(std::string_view name, Place place) {
  return maybe<NineDigits, Sign::not_negative>(name, place);
}
template <typename Place>
RowColumn temperature(std::string_view name, Place place) {
  return maybe<Exact, Sign::any>(name, place);
}

template <typename Place>
RowColumn truth(std::string_view name, Place) {
  return {name, true, "true or false",
          [](const Row& row) { return std::string(Place{}(row) ? "true" : "false"); },
          [](std::string_view text, Row& row) {
            Place{}(row) = text == "true";
            return text == "true" || text == "false";
          }};
}

template <auto... values, typename Place>
RowColumn choice(std::string_view name, std::string_view wants, Place) {
  return {name, true, wants, [](const Row& row) { return std::string(name_of(Place{}(row))); },
          [](std::string_view text, Row& row) {
            const auto value = named(text, {values...});
            if (value) Place{}(row) = *value;
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

#define PLACE(member) ([](auto& row) -> auto& { return row.member; })

std::vector<RowColumn> subject_columns(Subject::What what) {
  std::vector<RowColumn> columns;
  if (what == Subject::What::network) {
    columns = {network_name()};
  } else {
    columns = {words<Empty::refused>("id", PLACE(subject.id)),
               words<Empty::fine>("operation", PLACE(subject.name)),
               words<Empty::fine>("attributes", PLACE(subject.attributes))};
  }
  columns.push_back(words<Empty::fine>("inputs", PLACE(subject.inputs)));
  return columns;
}

std::vector<RowColumn> columns_of(Subject::What what) {
  using device::Precision;
  std::vector<RowColumn> columns = subject_columns(what);
  const std::vector<RowColumn> others{
      whole<1>("batch", PLACE(condition.batch)),
      choice<graph::Mode::inference, graph::Mode::training>("mode", "inference or training",
                                                            PLACE(condition.mode)),
      choice<Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16>(
          "precision", "fp32, tf32, bf16 or fp16", PLACE(condition.precision)),
      choice<Layout::nchw, Layout::nhwc>("layout", "nchw or nhwc", PLACE(condition.layout)),
      choice<Launch::eager, Launch::replay>("launch", "eager or replay", PLACE(launch)),
      amount("clock_asked_hertz", PLACE(clock_asked)),
      words<Empty::fine>("device", PLACE(device)),
      whole<0>("repeat", PLACE(repeat)),
      choice<Status::measured, Status::out_of_memory, Status::unsupported, Status::failed>(
          "status", "measured, out_of_memory, unsupported or failed", PLACE(status)),
      words<Empty::fine>("detail", PLACE(detail)),
      whole<0>("iterations", PLACE(iterations)),
      whole<0>("instances", PLACE(instances)),
      measured("time_seconds", PLACE(time)),
      measured("time_deviation_seconds", PLACE(time_deviation)),
      measured("host_seconds", PLACE(host_time)),
      measured("proportion", PLACE(proportion)),
      measured("power_watts", PLACE(power)),
      measured("power_deviation_watts", PLACE(power_deviation)),
      whole<0>("readings", PLACE(readings)),
      whole<0>("readings_dropped", PLACE(readings_dropped)),
      measured("energy_joules", PLACE(energy)),
      measured("energy_uncertainty_joules", PLACE(energy_uncertainty)),
      measured("energy_statistical_joules", PLACE(energy_statistical)),
      amount("clock_slowest_hertz", PLACE(clock_slowest)),
      amount("clock_fastest_hertz", PLACE(clock_fastest)),
      temperature("temperature_before_celsius", PLACE(temperature_before)),
      temperature("temperature_behind_celsius", PLACE(temperature_behind)),
      whole<0>("macs", PLACE(macs)),
      whole<0>("flops", PLACE(flops)),
      whole<0>("bytes", PLACE(bytes)),
      whole<0>("weight_bytes", PLACE(weight_bytes)),
      truth("valid", PLACE(valid)),
      reasons(),
      truth("simulated", PLACE(simulated)),
      moment(),
      whole<0>("session", PLACE(session)),
  };
  columns.insert(columns.end(), others.begin(), others.end());
  return columns;
}

#undef PLACE

}  // namespace

std::span<const RowColumn> row_columns(Subject::What what) {
  static const std::vector<RowColumn> operations = columns_of(Subject::What::operation);
  static const std::vector<RowColumn> networks = columns_of(Subject::What::network);
  return what == Subject::What::operation ? operations : networks;
}

}  // namespace ergon::profile
