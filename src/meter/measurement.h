#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "meter/span_report.h"

namespace ergon::meter {

// One device's part of a measurement.
struct Source {
  SpanReport report;
  Joules energy;       // corrected for what this product's sensors get wrong
  Joules statistical;  // standard deviation: what was not seen, noise, where the window's ends fell
  Joules systematic;   // standard deviation: how much this board's sensor may differ from others of its kind
  Watts mean, peak;
  std::optional<double> counter_discrepancy;  // of the readings' integral from the counter, as a share
};

// Why a measurement is not to be trusted, or not to be compared with others.
struct Reason {
  std::string code;  // "too_short", "counter_disagrees", ...: docs/measure.md lists them
  std::string text;  // for people
};

struct Measurement {
  Joules energy;
  Joules uncertainty;  // half the width of the interval that holds the truth in 95 of 100 cases
  Joules statistical;  // that of a comparison between two runs on one board: its sensor's own error left out
  Seconds duration;
  Watts mean, peak;             // the peak is the sum of the devices' own
  std::vector<Reason> reasons;  // none: it is valid
  std::vector<Reason> notes;    // what is good to know and speaks against nothing
  std::vector<Source> sources;
  bool simulated = false;

  bool valid() const { return reasons.empty(); }
};

// One device's report, corrected.
Source corrected(const SpanReport& report);
// What the device drew besides its idle power, which was measured over some time before. The sensor's offset
// is in both and goes away.
Source above_idle(const Source& work, const Source& idle);
// All devices of a window together.
Measurement combined(std::vector<Source> sources);
Measurement measured(const std::vector<SpanReport>& reports);

}  // namespace ergon::meter
