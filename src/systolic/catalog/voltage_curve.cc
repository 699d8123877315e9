#include "systolic/catalog/voltage_curve.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/builtin_files.h"
#include "base/json_fields.h"
#include "base/si_prefixes.h"
#include "base/units_text.h"
#include "systolic/catalog/builtin.h"

namespace ergon::systolic {
namespace {

constexpr const char* kLinear = "linear";

}  // namespace

VoltageCurve VoltageCurve::linear() { return {kLinear, {}, false}; }

Result<VoltageCurve> VoltageCurve::table(std::string name, std::vector<Point> points, bool absolute) {
  if (points.empty()) return fail(Errc::invalid_input, "a table of voltages without a point");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(points[i].clock > 0) || !(points[i].voltage > 0)) {
      return fail(Errc::invalid_input, "point {} of the table: clock and voltage want to be above 0", i + 1);
    }
    if (i == 0) continue;
    if (points[i].clock <= points[i - 1].clock) {
      return fail(Errc::invalid_input,
                  "point {} of the table: clock {} does not come after {}; the lowest clock is first", i + 1,
                  points[i].clock, points[i - 1].clock);
    }
    if (points[i].voltage < points[i - 1].voltage) {
      return fail(Errc::invalid_input,
                  "point {} of the table: voltage falls from {} to {}; a higher clock never needs less",
                  i + 1, points[i - 1].voltage, points[i].voltage);
    }
  }
  if (!absolute && (points.back().clock != 1 || points.back().voltage != 1)) {
    return fail(Errc::invalid_input, "a table in shares ends with the highest clock and voltage, 1 and 1");
  }
  return VoltageCurve(std::move(name), std::move(points), absolute);
}

Result<> VoltageCurve::check(Hertz highest) const {
  if (!absolute_ || points_.back().clock * kMega >= highest.si()) return {};
  return fail(Errc::invalid_input, "the table of voltages \"{}\" ends at {}; the highest clock is {}", name_,
              to_text(Hertz{points_.back().clock * kMega}), to_text(highest));
}

double VoltageCurve::voltage(double clock) const {
  if (clock <= points_.front().clock) return points_.front().voltage;
  std::size_t upper = 1;
  while (upper + 1 < points_.size() && points_[upper].clock < clock) ++upper;
  const Point &a = points_[upper - 1], &b = points_[upper];
  return a.voltage + (b.voltage - a.voltage) * (clock - a.clock) / (b.clock - a.clock);
}

double VoltageCurve::ratio(Hertz clock, Hertz highest) const {
  if (clock >= highest) return 1;
  const double share = (clock / highest).si();
  if (points_.empty()) return share;
  if (!absolute_) return voltage(share);
  return voltage(clock.si() / kMega) / voltage(highest.si() / kMega);
}

Result<VoltageCurve> parse_voltage_curve(std::string_view json, std::string_view source) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  const std::string name = fields->text("name");
  fields->text("title");
  const nlohmann::json& listed = fields->raw("points");
  if (!listed.is_array()) fields->complain("points", "a list of points");
  std::vector<VoltageCurve::Point> points;
  const bool absolute =
      listed.is_array() && !listed.empty() && listed[0].is_object() && listed[0].contains("clock_mhz");
  const char* const clock = absolute ? "clock_mhz" : "clock_share";
  const char* const voltage = absolute ? "voltage_v" : "voltage_share";
  for (const auto& point : listed.is_array() ? listed : nlohmann::json::array()) {
    const bool fine = point.is_object() && point.size() == 2 && point.contains(clock) &&
                      point.contains(voltage) && Fields::is_sensible(point[clock]) &&
                      Fields::is_sensible(point[voltage]);
    if (!fine) {
      fields->complain("points",
                       "objects with \"clock_mhz\" and \"voltage_v\", or \"clock_share\" and "
                       "\"voltage_share\"");
      break;
    }
    points.push_back({point[clock], point[voltage]});
  }
  const double leakage = fields->raw("leakage_share").is_null() ? 0 : fields->share("leakage_share");
  auto sources = fields->texts("sources");
  if (const auto error = fields->error()) return *error;
  auto curve = VoltageCurve::table(name, std::move(points), absolute);
  if (!curve) return curve.error().in(source);
  curve->sources = std::move(sources);
  curve->leakage = leakage;
  return curve;
}

Result<VoltageCurve> find_voltage_curve(const std::string& name) {
  if (name == kLinear) return VoltageCurve::linear();
  return find_listed(name, "table of voltages", voltage_files(), parse_voltage_curve, {kLinear});
}

std::vector<std::string> voltage_curve_names() {
  std::vector<std::string> names = names_of(voltage_files());
  names.insert(names.begin(), kLinear);
  return names;
}

}  // namespace ergon::systolic
