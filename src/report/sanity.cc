#include "report/sanity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/internal_error.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kRounding = 1e-9;

// Quantities that are never negative under these names. Their intervals are objects or lists below them.
constexpr std::array<std::string_view, 14> kNotNegative{
    "time_seconds",        "duration_seconds",  "power_watts",
    "power_limit_watts",   "energy_joules",     "energy_per_sample_joules",
    "memory_bytes",        "clock_hertz",       "samples_per_second",
    "total_joules",        "attributed_joules", "idle_joules",
    "unattributed_joules", "indivisible_joules"};

bool is_share(std::string_view name) { return name == "measured_operations_share" || name == "coverage"; }

std::optional<double> number_at(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number() ? std::optional(json[key].get<double>()) : std::nullopt;
}

// Where a number is in the document.
struct Place {
  std::string path;
  std::string_view name;    // of the quantity: the last key that is not "value", "low" or "high"
  bool above_idle = false;  // energies are differences

  std::string text() const { return path.empty() ? "the document" : path.substr(1); }
  Place at(std::size_t index) const { return {path + "[" + std::to_string(index) + "]", name, above_idle}; }
};

bool is_ordered(double low, double high) {
  return low <= high + kRounding * std::max(std::abs(low), std::abs(high));
}

Result<> check_number(double value, const Place& place) {
  if (!std::isfinite(value)) return internal_error("{} is {}", place.text(), value);
  const bool difference = place.above_idle && place.name == "energy_joules";
  if (value < 0 && !difference &&
      std::find(kNotNegative.begin(), kNotNegative.end(), place.name) != kNotNegative.end())
    return internal_error("{} is negative: {}", place.text(), value);
  if (is_share(place.name) && (value < -kRounding || value > 1 + kRounding))
    return internal_error("{} is not between 0 and 1: {}", place.text(), value);
  return {};
}

// {low, high}, with or without a value; numbers, or lists of the same length.
Result<> check_interval(const Json& low, const Json* value, const Json& high, const Place& place) {
  if (low.is_array() && high.is_array() && low.size() == high.size() &&
      (value == nullptr || (value->is_array() && value->size() == low.size()))) {
    for (std::size_t i = 0; i < low.size(); ++i) {
      if (auto fine = check_interval(low[i], value == nullptr ? nullptr : &(*value)[i], high[i], place.at(i));
          !fine)
        return fine;
    }
    return {};
  }
  if (!low.is_number() || !high.is_number()) return {};
  const double from = low.get<double>(), to = high.get<double>();
  if (!is_ordered(from, to)) return internal_error("{}: an interval from {} to {}", place.text(), from, to);
  if (value == nullptr || !value->is_number()) return {};
  const double middle = value->get<double>();
  if (is_ordered(from, middle) && is_ordered(middle, to)) return {};
  return internal_error("{}: {} is not in its interval, {} to {}", place.text(), middle, from, to);
}

// The energy of a fleet, host or GPU.
Result<> check_sum(const Json& json, const Place& place) {
  const auto total = number_at(json, "total_joules"), attributed = number_at(json, "attributed_joules"),
             idle = number_at(json, "idle_joules"), rest = number_at(json, "unattributed_joules");
  if (!total || !attributed || !idle || !rest) return {};
  const double sum = *attributed + *idle + *rest;
  if (std::abs(sum - *total) <= 1e-6 * (1 + *total)) return {};
  return internal_error("{}: the parts of the energy are {} J of {} J", place.text(), sum, *total);
}

Result<> check(const Json& json, const Place& place);

Result<> check_object(const Json& json, const Place& place) {
  if (json.contains("low") && json.contains("high")) {
    const Json* value = json.contains("value") ? &json["value"] : nullptr;
    if (auto fine = check_interval(json["low"], value, json["high"], place); !fine) return fine;
  }
  if (auto fine = check_sum(json, place); !fine) return fine;
  // The total energy and that of idle devices stand beside the difference.
  const bool above_idle = place.above_idle || number_at(json, "idle_power_watts").has_value();
  for (const auto& [key, value] : json.items()) {
    const bool part = key == "value" || key == "low" || key == "high";
    const bool total = key == "gross" || key == "idle";
    if (auto fine = check(
            value, {place.path + "." + key, part ? place.name : std::string_view(key), above_idle && !total});
        !fine)
      return fine;
  }
  return {};
}

Result<> check(const Json& json, const Place& place) {
  if (json.is_number()) return check_number(json.get<double>(), place);
  if (json.is_object()) return check_object(json, place);
  if (!json.is_array()) return {};
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (auto fine = check(json[i], place.at(i)); !fine) return fine;
  }
  return {};
}

}  // namespace

Result<> check_sanity(const Json& body) { return check(body, {"", "", false}); }

}  // namespace ergon::report
