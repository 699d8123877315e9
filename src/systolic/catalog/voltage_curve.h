#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ergon::systolic {

// Voltage as a function of the clock, relative to the voltage at the highest clock: proportional (the common
// assumption in papers, down to voltages at which no silicon works), or a table whose lowest voltage is a
// floor, as in real silicon. Below the clock of the floor only the clock falls.
class VoltageCurve {
 public:
  struct Point {
    double clock = 0, voltage = 0;  // shares of the highest, or MHz and volts
  };

  // V in proportion to F.
  static VoltageCurve linear();
  bool is_linear() const { return points_.empty(); }

  // Linear interpolation; below the first point its voltage is the floor. Clocks and voltages are relative to
  // the highest (the last point is 1 and 1), or MHz and volts (`absolute`). Fails without points, or if
  // clocks or voltages do not increase (equal voltages are a floor).
  static Result<VoltageCurve> table(std::string name, std::vector<Point> points, bool absolute);

  const std::string& name() const { return name_; }
  std::vector<std::string> sources;
  // Leakage power at the highest voltage, as a share of the dynamic power at the highest clock. It falls with
  // the square of the voltage.
  double leakage = 0;

  // Fails if the table does not cover this highest clock.
  Result<> check(Hertz highest) const;

  // V(clock) / V(highest). Contract: 0 < clock <= highest, and check() has passed.
  double ratio(Hertz clock, Hertz highest) const;

 private:
  VoltageCurve(std::string name, std::vector<Point> points, bool absolute)
      : name_(std::move(name)), points_(std::move(points)), absolute_(absolute) {}
  double voltage(double clock) const;

  std::string name_;
  std::vector<Point> points_;  // none: in proportion
  bool absolute_;
};

// The curve that is used if none is named.
inline constexpr const char* kDefaultVoltageCurve = "alpha-power";

// "linear", by name from data/voltages, or from a file (is_json_file()).
Result<VoltageCurve> find_voltage_curve(const std::string& name_or_file);
std::vector<std::string> voltage_curve_names();
Result<VoltageCurve> parse_voltage_curve(std::string_view json, std::string_view source);

}  // namespace ergon::systolic
