#pragma once

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Events of one name and level with outlying durations: above Tukey's outer fence, the third quartile plus
// three interquartile ranges.
struct DurationOutliers {
  double count = 0, excess_seconds = 0;  // their number, and the sum of their durations above the median
  double fence_seconds = 0, median_seconds = 0;
};
using DurationOutliersByEvent = std::map<EventKey, DurationOutliers>;
DurationOutliersByEvent duration_outliers(const Tally& tally);

// Recommendations by descending saving, then data quality problems. All other fields of `summary` must be
// set.
std::vector<Finding> findings_of(const Tally& tally, const DurationOutliersByEvent& outliers,
                                 const FleetSummary& summary);

}  // namespace ergon::fleet
