// Reads a device file. Every number is a pair of a value and the key of its source, and must be within its
// physical range.

#include "device/twin/catalog.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/si_prefixes.h"
#include "base/text.h"
#include "device/twin/parameter_digest.h"
#include "device/twin/parameters.h"

namespace ergon::device {
namespace {

using Json = nlohmann::json;

class Reader {
 public:
  Reader(Fields fields, std::string_view source) : fields_(std::move(fields)), source_(source) {}

  Result<Specification> read() {
    Specification gpu;
    gpu.name = fields_.text("name");
    gpu.title = printable(fields_.text("title"));
    gpu.chip = fields_.text("chip");
    read_sources(gpu);
    for (const Parameter& parameter : parameters()) read_parameter(gpu, parameter);
    read_bandwidths(gpu);
    read_sensors(gpu);
    read_calibration(gpu);
    if (!error_) check_relations(gpu);
    if (!error_) check_names();
    if (!error_) error_ = fields_.error();
    if (error_) return *error_;
    drop_outdated_residuals(gpu);
    return gpu;
  }

 private:
  template <typename... Args>
  void complain(fmt::format_string<Args...> text, Args&&... args) {
    if (error_) return;
    error_ = fail(Errc::invalid_input, "{}: {}", source_, fmt::format(text, std::forward<Args>(args)...));
  }

  void read_sources(Specification& gpu) {
    const Json& sources = fields_.raw("sources");
    if (!sources.is_object() || sources.empty()) {
      return complain("\"sources\" must be an object of strings that name the origins of the numbers");
    }
    for (const auto& [key, text] : sources.items()) {
      if (!text.is_string()) return complain("source \"{}\" must be a string", printable(key));
      gpu.sources[key] = text;
    }
    sources_ = gpu.sources;
  }

  // [1380, "sheet"]
  std::optional<double> number(const Json& value, const std::string& path) {
    if (value.is_null()) return complain("\"{}\" is missing", path), std::nullopt;
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_string()) {
      complain("\"{}\" must be [number, \"source\"], not {}", path, shown(value));
      return std::nullopt;
    }
    const std::string key = value[1];
    if (!sources_.contains(key)) {
      complain("\"{}\" refers to the source \"{}\", which is not in \"sources\"", path, printable(key));
      return std::nullopt;
    }
    return value[0].get<double>();
  }

  static std::string shown(const Json& value) {
    return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  std::optional<double> number_within(const Json& value, const std::string& path, double min, double max) {
    const auto n = number(value, path);
    if (n && !(*n >= min && *n <= max)) {
      complain("\"{}\" is {}, outside of its physical range {} to {}", path, *n, min, max);
      return std::nullopt;
    }
    return n;
  }

  void read_parameter(Specification& gpu, const Parameter& parameter) {
    const Json& value = fields_.raw(parameter.path);
    if (value.is_null() && parameter.optional) return;
    const auto n = number_within(value, parameter.path, parameter.min, parameter.max);
    if (!n) return;
    if (parameter.whole && *n != std::floor(*n))
      return complain("\"{}\" must be an integer, not {}", parameter.path, *n);
    parameter.set(gpu, *n);
  }

  void read_bandwidths(Specification& gpu) {
    const std::string path = "memory.bandwidth_over_clock";
    const Json& points = fields_.raw(path);
    if (!points.is_array() || points.empty()) return complain("\"{}\" must be a list of points", path);
    for (const Json& point : points) {
      if (!point.is_object()) return complain("\"{}\" must have points with \"mhz\" and \"share\"", path);
      const auto mhz = number_within(point.value("mhz", Json()), path + ".mhz", 50, 4000);
      const auto share = number_within(point.value("share", Json()), path + ".share", 0.01, 1);
      if (!mhz || !share) return;
      auto& all = gpu.memory.over_clock.points;
      if (!all.empty() && (Hertz{*mhz * kMega} <= all.back().clock || *share < all.back().share))
        return complain("\"{}\" must be increasing", path);
      all.push_back({Hertz{*mhz * kMega}, *share});
    }
  }

  bool read_also(const Json& names, SensorModel& sensor) {
    const auto is_text = [](const Json& name) { return name.is_string(); };
    if (!names.is_array() || !std::all_of(names.begin(), names.end(), is_text)) {
      complain("\"sensors.{}.also\" must be a list of fields", printable(sensor.field));
      return false;
    }
    for (const Json& name : names) sensor.also.push_back(name);
    return true;
  }

  void read_sensors(Specification& gpu) {
    const Json& sensors = fields_.raw("sensors");
    if (!sensors.is_array() || sensors.empty())
      return complain("\"sensors\" must be a list of power readings");
    for (const Json& each : sensors) {
      SensorModel sensor;
      if (!each.is_object() || !each.contains("field") || !each["field"].is_string())
        return complain("a sensor has no \"field\"");
      sensor.field = each["field"];
      if (!read_also(each.value("also", Json::array()), sensor)) return;
      std::vector<std::string> names = sensor.also;
      names.push_back(sensor.field);
      for (const std::string& name : names) {
        const bool twice = std::count(names.begin(), names.end(), name) > 1 ||
                           std::any_of(gpu.sensors.begin(), gpu.sensors.end(),
                                       [&](const auto& s) { return s.answers(name); });
        if (twice) return complain("duplicate sensor \"{}\"", printable(name));
      }
      const auto read = [&](const char* name, double min, double max) {
        return number_within(each.value(name, Json()), fmt::format("sensors.{}.{}", sensor.field, name), min,
                             max)
            .value_or(1);
      };
      sensor.period = Seconds{read("period_ms", 1, 10000) * kMilli};
      sensor.window = Seconds{read("window_ms", 1, 10000) * kMilli};
      sensor.gain = read("gain", 0.5, 1.5);
      sensor.offset = Watts{read("offset_w", -50, 50)};
      sensor.noise = Watts{read("noise_w", 0, 50)};
      gpu.sensors.push_back(std::move(sensor));
    }
  }

  void read_calibration(Specification& gpu) {
    fields_.raw("calibration");
    gpu.fitted = fields_.texts("calibration.fitted");
    if (const Json& digest = fields_.raw("calibration.parameters"); digest.is_string()) calibrated_ = digest;
    const Json& residuals = fields_.raw("calibration.residuals");
    if (residuals.is_null()) return;
    if (!residuals.is_array()) return complain("\"calibration.residuals\" must be a list");
    for (const Json& each : residuals) {
      if (!each.is_object() || !each.value("table", Json()).is_string() ||
          !each.value("quantity", Json()).is_string())
        return complain("\"calibration.residuals\" must have objects with \"table\" and \"quantity\"");
      gpu.residuals.push_back({each["table"], each["quantity"], rows_in(each, "rows_fitted"),
                               rows_in(each, "rows_held_back"), error_in(each, "mape_fitted"),
                               error_in(each, "mape_held_back"), kinds_in(each)});
    }
  }

  // "training, tf32" or "inference, bf16, host-bound".
  static std::optional<RunKind> kind_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (const std::string_view word : split(text, ',')) words.push_back(trim(word));
    if (words.size() < 2 || words.size() > 3 || (words.size() == 3 && words[2] != "host-bound"))
      return std::nullopt;
    const auto precision = precision_named(words[1]);
    for (const graph::Mode mode : graph::kModes) {
      if (precision && words[0] == name_of(mode)) return RunKind{mode, *precision, words.size() == 3};
    }
    return std::nullopt;
  }

  std::set<RunKind> kinds_in(const Json& residual) {
    std::set<RunKind> kinds;
    const Json list = residual.value("kinds_held_out", Json::array());
    if (!list.is_array()) {
      complain("\"calibration.residuals.kinds_held_out\" must be a list");
      return kinds;
    }
    for (const Json& each : list) {
      const auto kind = each.is_string() ? kind_of(each.get<std::string>()) : std::nullopt;
      if (kind) {
        kinds.insert(*kind);
      } else {
        complain(
            "\"calibration.residuals.kinds_held_out\" must have texts such as \"training, tf32\" or "
            "\"inference, bf16, host-bound\", not {}",
            shown(each));
      }
    }
    return kinds;
  }

  // A number of rows; 0 if it is absent.
  std::int64_t rows_in(const Json& residual, const char* name) {
    constexpr std::int64_t kMax = 1'000'000'000;
    const Json value = residual.value(name, Json(0));
    if (value.is_number_integer() && value >= 0 && value <= kMax) return value;
    complain("\"calibration.residuals.{}\" must be a number of rows, not {}", name, shown(value));
    return 0;
  }

  // A mean absolute percentage error, as a share; 0 if it is absent.
  double error_in(const Json& residual, const char* name) {
    constexpr double kMax = 1e6;
    const Json value = residual.value(name, Json(0));
    if (value.is_number() && value >= 0 && value <= kMax) return value;
    complain("\"calibration.residuals.{}\" must be a share of at least 0, not {}", name, shown(value));
    return 0;
  }

  void drop_outdated_residuals(Specification& gpu) const {
    if (gpu.residuals.empty() || calibrated_ == parameter_digest(gpu)) return;
    gpu.residuals.clear();
    gpu.changed_after_calibration = true;
  }

  void check_relations(const Specification& gpu) {
    if (gpu.core.min > gpu.core.max) complain("\"core_clock.least_mhz\" is above the highest clock");
    if (gpu.voltage.knee > gpu.core.max) complain("\"voltage.knee_mhz\" is above the highest clock");
    if (gpu.limit.holds_from > gpu.limit.max) complain("\"limit.holds_from_w\" is above the highest limit");
    if (gpu.limit.min > gpu.limit.default_limit || gpu.limit.default_limit > gpu.limit.max)
      complain("\"limit\": least_w, usual_w and most_w must be in ascending order");
    if (gpu.power.bare + gpu.power.resident > gpu.limit.default_limit)
      complain("\"power\": idle power exceeds the default power limit");
    if ((gpu.power.leakage * gpu.thermal.resistance).si() >= 0.9)
      complain("\"power.leakage_w_per_k\" and \"thermal.resistance_k_per_w\": thermal runaway");
    if (gpu.thermal.ambient >= gpu.thermal.slowdown)
      complain("\"thermal.slowdown_c\" is not above \"thermal.ambient_c\"");
  }

  // Unknown names inside the groups are errors as well.
  void check_names() {
    std::set<std::string> known{"memory.bandwidth_over_clock"};
    std::set<std::string> groups;
    for (const Parameter& parameter : parameters()) {
      known.insert(parameter.path);
      const auto dot = parameter.path.find('.');
      if (dot != std::string::npos) groups.insert(parameter.path.substr(0, dot));
    }
    for (const std::string& group : groups) {
      const Json& object = fields_.raw(group);
      if (!object.is_object()) continue;
      for (const auto& [name, value] : object.items()) {
        if (!known.contains(fmt::format("{}.{}", group, name)))
          return complain("unknown field \"{}.{}\"", group, printable(name));
      }
    }
  }

  Fields fields_;
  std::string source_;
  std::map<std::string, std::string> sources_;
  std::string calibrated_;  // digest of the parameters that the residuals belong to
  std::optional<Error> error_;
};

}  // namespace

Result<Specification> parse_specification(std::string_view json, std::string_view source) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  return Reader(std::move(*fields), source).read();
}

Result<Specification> find_device(const std::string& name_or_file) {
  return find_listed(name_or_file, "device", device_files(), parse_specification);
}

std::vector<std::string> device_names() { return names_of(device_files()); }

}  // namespace ergon::device
