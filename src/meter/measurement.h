#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "meter/span_report.h"

namespace ergon::meter {

// The measurement of one device.
struct DeviceMeasurement {
  SpanReport report;
  Joules energy;       // corrected for the mean gain and offset of this product's sensors
  Joules statistical;  // standard deviation: gaps between readings, noise, timing of the window's ends
  Joules systematic;   // standard deviation: spread of sensor gain and offset between boards
  Watts mean, peak;
  std::optional<double> counter_discrepancy;  // (integral of the readings - counter) / counter, uncorrected
};

// Why a measurement is not valid, or a note about it.
struct Reason {
  std::string code;  // "too_short", "counter_disagrees", ...: docs/measure.md lists them
  std::string text;  // human-readable
};

struct Measurement {
  Joules energy;
  Joules uncertainty;  // half of the 95 % interval
  Joules statistical;  // the same without systematic error, for comparing runs on one board
  Seconds duration;
  Watts mean, peak;             // `peak` is the sum of the devices' peaks
  std::vector<Reason> reasons;  // why it is not valid; empty: valid
  std::vector<Reason> notes;    // remarks that do not affect validity
  std::vector<DeviceMeasurement> sources;
  bool simulated = false;

  bool valid() const { return reasons.empty(); }
};

// Applies the sensor's gain and offset.
DeviceMeasurement corrected(const SpanReport& report);
// Energy above idle power. `idle` is a measurement of the idle device. The sensor's offset cancels.
DeviceMeasurement above_idle(const DeviceMeasurement& work, const DeviceMeasurement& idle);
// The sum over all devices of a window.
Measurement combined(std::vector<DeviceMeasurement> sources);
Measurement measured(const std::vector<SpanReport>& reports);

}  // namespace ergon::meter
