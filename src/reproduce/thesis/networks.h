#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "calibrate/thesis_tables.h"

namespace ergon::reproduce {

// Energy of one iteration of a network on the three setups of the thesis: an A30 with tensor cores on, an RTX
// 2080 Ti, and an A30 with tensor cores off. Absent: not measured.
struct ThreeEnergies {
  std::string network;
  std::int64_t size = 0;
  std::optional<Joules> tensor_cores_on, rtx2080ti, tensor_cores_off;

  bool complete() const { return tensor_cores_on && rtx2080ti && tensor_cores_off; }
  // Ascending, in the order that the thesis states.
  bool in_order() const;
};

// Measured energies of networks that ran on at least one of the three, by name and size.
std::vector<ThreeEnergies> measured_energies(const std::vector<calibrate::ThesisNetwork>& networks,
                                             graph::Mode mode);

// Energy of training over energy of inference.
struct TrainingRatio {
  std::string network;
  std::int64_t size = 0;
  double ratio = 0;
};
struct ThreeRatios {
  std::vector<TrainingRatio> tensor_cores_on, rtx2080ti, tensor_cores_off;
};
ThreeRatios measured_ratios(const std::vector<calibrate::ThesisNetwork>& networks);

// "2.1 to 4.9"; "none" if empty.
std::string range_text(const std::vector<TrainingRatio>& ratios);
bool all_between(const std::vector<TrainingRatio>& ratios, double min, double max);

}  // namespace ergon::reproduce
