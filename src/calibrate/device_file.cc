// Writes a calibrated device file: fitted and inherited parameters, their sources, and the accuracy. All
// other content is unchanged.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "base/json.h"
#include "base/si_prefixes.h"
#include "calibrate/fit.h"
#include "device/twin/catalog.h"
#include "device/twin/parameter_digest.h"
#include "device/twin/parameters.h"

namespace ergon::calibrate {
namespace {

using Json = nlohmann::ordered_json;

// Rounds to four significant digits, which is more than a fit determines.
double rounded(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

double millionths(double value) { return std::round(value * 1e6) / 1e6; }

bool is_scalar_list(const Json& json) {
  return json.is_array() &&
         std::none_of(json.begin(), json.end(), [](const Json& each) { return each.is_structured(); });
}

bool fits_a_line(const Json& json) {
  constexpr std::size_t kFew = 2;
  return json.is_object() && json.size() <= kFew &&
         std::all_of(json.begin(), json.end(), [](const Json& each) { return is_scalar_list(each); });
}

// Like dump(), but writes a number and its source, and small objects of such pairs, on one line.
void write(const Json& json, std::size_t indent, std::string& out) {
  const auto line = [&](std::size_t deeper) { return "\n" + std::string(indent + deeper, ' '); };
  if (is_scalar_list(json)) {
    const bool pair = json.size() == 2 && json[0].is_number();
    const bool short_list = pair || json.size() <= 1;
    out += '[';
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (i > 0) out += short_list ? ", " : ",";
      if (!short_list) out += line(2);
      out += json[i].dump();
    }
    out += short_list ? "]" : line(0) + "]";
  } else if (json.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < json.size(); ++i) {
      out += (i > 0 ? "," : "") + line(2);
      write(json[i], indent + 2, out);
    }
    out += line(0) + "]";
  } else if (json.is_object()) {
    const bool one_line = fits_a_line(json);
    out += '{';
    bool first = true;
    for (const auto& [key, value] : json.items()) {
      if (!first) out += one_line ? ", " : ",";
      if (!one_line) out += line(2);
      out += Json(key).dump() + ": ";
      write(value, indent + 2, out);
      first = false;
    }
    out += one_line ? "}" : line(0) + "}";
  } else {
    out += json.dump();
  }
}

Json& at_path(Json& json, const std::string& path) {
  const auto dot = path.find('.');
  return dot == std::string::npos ? json[path] : json[path.substr(0, dot)][path.substr(dot + 1)];
}

void set_paths(Json& json, const Fit& fit, const std::vector<std::string>& paths, const std::string& source) {
  for (const std::string& path : paths) {
    if (path == "memory.bandwidth_over_clock") {
      Json points = Json::array();
      for (const auto& point : fit.gpu.memory.over_clock.points) {
        points.push_back(
            {{"mhz", {point.clock.si() / kMega, source}}, {"share", {rounded(point.share), source}}});
      }
      at_path(json, path) = std::move(points);
    } else {
      at_path(json, path) = {rounded(device::parameter(path).read(fit.gpu)), source};
    }
  }
}

// All parameters that a calibration resets. Those that are neither fitted nor inherited keep the start value.
std::vector<std::string> starting_paths() {
  std::vector<std::string> paths;
  for (const device::Parameter& each : device::parameters()) {
    const bool is_fact = each.path == "power.bare_w" || each.path == "power.resident_w";
    const bool is_model = each.path.starts_with("kernels.") || each.path.starts_with("host.") ||
                          each.path.starts_with("power.");
    if (is_model && !is_fact) paths.push_back(each.path);
  }
  return paths;
}

void collect_sources(const Json& json, std::set<std::string>& used) {
  if (is_scalar_list(json)) {
    if (json.size() == 2 && json[1].is_string()) used.insert(json[1].get<std::string>());
  } else if (json.is_structured()) {
    for (const Json& each : json) collect_sources(each, used);
  }
}

void drop_unused_sources(Json& json) {
  std::set<std::string> used;
  collect_sources(json, used);
  Json kept = Json::object();
  for (const auto& [key, text] : json["sources"].items()) {
    if (used.contains(key)) kept[key] = text;
  }
  json["sources"] = std::move(kept);
}

// "inference, bf16, host-bound"
std::string text_of(const device::RunKind& kind) {
  return fmt::format("{}, {}{}", name_of(kind.mode), name_of(kind.precision),
                     kind.host_bound ? ", host-bound" : "");
}

Json residual_json(const TwinAccuracy& each) {
  Json json = {{"table", each.table}, {"quantity", each.quantity}, {"rows_fitted", each.rows_fitted}};
  if (each.rows_fitted > 0) json["mape_fitted"] = millionths(each.mape_fitted);
  json["rows_held_back"] = each.rows_held_out;
  if (each.rows_held_out > 0) json["mape_held_back"] = millionths(each.mape_held_out);
  if (each.kinds_held_out.empty()) return json;
  Json kinds = Json::array();
  for (const device::RunKind& kind : each.kinds_held_out) kinds.push_back(text_of(kind));
  json["kinds_held_out"] = std::move(kinds);
  return json;
}

// Digest of the parameters as they are read back from the file, after rounding.
std::string digest_of(const Json& file) {
  const auto gpu = device::parse_specification(file.dump(), "calibrated device");
  return gpu ? device::parameter_digest(*gpu) : "";
}

}  // namespace

std::string updated_file(std::string_view file, const Fit& fit, const std::vector<TwinAccuracy>& accuracies) {
  const auto parsed = parse_json<Json>(file);
  ERGON_EXPECTS(parsed);
  Json json = *parsed;
  json["sources"]["start"] =
      "where calibrations start: what operators and copies reached on an H200; docs/twins.md";
  set_paths(json, fit, starting_paths(), "start");
  for (const auto& [path, lender] : fit.inherited_from) {
    json["sources"]["as " + lender] =
        fmt::format("taken over from the twin {}, a relative; docs/twins.md", lender);
    set_paths(json, fit, {path}, "as " + lender);
  }
  if (!fit.fitted_paths.empty()) {
    json["sources"]["fit"] =
        "fitted by `ergon devices calibrate` to the tables under \"calibration\"; docs/twins.md";
    set_paths(json, fit, fit.fitted_paths, "fit");
  }
  drop_unused_sources(json);
  json.erase("calibration");
  Json residuals = Json::array();
  for (const TwinAccuracy& each : accuracies) {
    if (each.device == fit.gpu.name) residuals.push_back(residual_json(each));
  }
  if (!fit.gpu.fitted.empty())
    json["calibration"] = {
        {"fitted", fit.gpu.fitted}, {"parameters", digest_of(json)}, {"residuals", std::move(residuals)}};
  std::string out;
  write(json, 0, out);
  return out + "\n";
}

}  // namespace ergon::calibrate
