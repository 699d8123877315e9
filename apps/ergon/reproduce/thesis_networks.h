#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "calibrate/thesis_tables.h"

namespace ergon::app {

// What an iteration of a network takes on the thesis's three: an A30 with its tensor cores on, an RTX 2080
// Ti, and an A30 with them off. Nothing where it was not run.
struct ThreeEnergies {
  std::string network;
  std::int64_t size = 0;
  std::optional<Joules> tensor_cores_on, rtx2080ti, tensor_cores_off;

  bool complete() const { return tensor_cores_on && rtx2080ti && tensor_cores_off; }
  // As the thesis orders them, the least first.
  bool in_order() const;
};

// Measured, of networks that were run on any of the three, by name and size.
std::vector<ThreeEnergies> measured_energies(const std::vector<calibrate::ThesisNetwork>& networks,
                                             graph::Mode mode);

// What training takes, over what inference takes.
struct TrainingRatio {
  std::string network;
  std::int64_t size = 0;
  double ratio = 0;
};
struct ThreeRatios {
  std::vector<TrainingRatio> tensor_cores_on, rtx2080ti, tensor_cores_off;
};
ThreeRatios measured_ratios(const std::vector<calibrate::ThesisNetwork>& networks);

// "2.1 to 4.9"; "none" of none.
std::string range_text(const std::vector<TrainingRatio>& ratios);
bool all_between(const std::vector<TrainingRatio>& ratios, double least, double most);

}  // namespace ergon::app
