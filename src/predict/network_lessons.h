#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/twin/specification.h"
#include "predict/held_back.h"
#include "predict/model.h"
#include "predict/sample.h"

namespace ergon::predict {

// A network that was measured, beside its operations: as they are known, and as they would be had nobody
// measured those that only this network has.
struct MeasuredNetwork {
  const NetworkSample* sample = nullptr;
  std::vector<Part> known, unknown;
};

// What whole networks teach beyond their operations.
struct NetworkLessons {
  Trusts trust;
  Corrections corrections;
  // Each network by what the others teach: its operations unknown, and known.
  std::vector<HeldBack> unknown, known;
};

// Corrections say what sums of known operations get wrong; trust is what would have met networks best whose
// operations are not known.
NetworkLessons learn_from(std::span<const MeasuredNetwork> networks, const device::Specification& gpu,
                          std::size_t threads);

}  // namespace ergon::predict
