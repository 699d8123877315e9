#include "report/sanity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/internal_error.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kRounding = 1e-9;

// Quantities that are never negative under these names. Their intervals are objects or lists below them.
// Energy and mean power of a measurement may be: they can be those above idle.
constexpr std::array<std::string_view, 11> kNotNegative{
    "time_seconds",       "duration_seconds",  "power_watts",  "energy_per_sample_joules",
    "memory_bytes",       "clock_hertz",       "total_joules", "attributed_joules",
    "samples_per_second", "power_limit_watts", "idle_joules"};

bool is_share(std::string_view name) { return name == "measured_operations_share" || name == "coverage"; }

class Checker {
 public:
  Result<> check(const Json& json, const std::string& path, std::string_view name) const {
    if (json.is_number()) return number(json.get<double>(), path, name);
    if (json.is_object()) {
      if (auto fine = interval(json, path); !fine) return fine;
      for (const auto& [key, value] : json.items()) {
        // {value, low, high} of a quantity: the quantity's name counts.
        const bool part = key == "value" || key == "low" || key == "high";
        if (auto fine = check(value, path + "." + key, part ? name : std::string_view(key)); !fine)
          return fine;
      }
    }
    if (json.is_array()) {
      for (std::size_t i = 0; i < json.size(); ++i) {
        if (auto fine = check(json[i], path + "[" + std::to_string(i) + "]", name); !fine) return fine;
      }
    }
    return {};
  }

 private:
  static Result<> number(double value, const std::string& path, std::string_view name) {
    if (!std::isfinite(value)) return internal_error("{} is {}", path.substr(1), value);
    if (value < 0 && std::find(kNotNegative.begin(), kNotNegative.end(), name) != kNotNegative.end())
      return internal_error("{} is negative: {}", path.substr(1), value);
    if (is_share(name) && (value < -kRounding || value > 1 + kRounding))
      return internal_error("{} is not between 0 and 1: {}", path.substr(1), value);
    return {};
  }

  static Result<> interval(const Json& json, const std::string& path) {
    const auto number_at = [&](const char* key) { return json.contains(key) && json[key].is_number(); };
    if (!number_at("value") || !number_at("low") || !number_at("high")) return {};
    const double value = json["value"], low = json["low"], high = json["high"];
    const double slack = kRounding * std::max(std::abs(low), std::abs(high));
    if (low <= value + slack && value <= high + slack) return {};
    return internal_error("{}: {} is not in its interval, {} to {}", path.substr(1), value, low, high);
  }
};

}  // namespace

Result<> check_sanity(const Json& body) { return Checker().check(body, "", ""); }

}  // namespace ergon::report
