#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/twin/specification.h"
#include "predict/learn/held_out.h"
#include "predict/model/model.h"
#include "predict/samples/sample.h"

namespace ergon::predict {

// A measured network with the costs of its operations, by forests that were fitted with all operations and by
// forests fitted without the operations that only this network has.
struct MeasuredNetwork {
  const NetworkSample* sample = nullptr;
  std::vector<TaskCost> measured_costs, held_out_costs;
};

// Parameters fitted to whole networks.
struct NetworkFit {
  ShrinkageByMode shrinkage;
  Corrections corrections;
  // Each network, predicted with corrections fitted to the others: from its held-out and its measured costs.
  std::vector<HeldOutNetwork> held_out, with_measured_operations;
};

// Corrections are fitted to sums of measured operations. The shrinkage is the one with the smallest error on
// networks whose operations are held out.
NetworkFit fit_networks(std::span<const MeasuredNetwork> networks, const device::Specification& gpu,
                        std::size_t threads);

}  // namespace ergon::predict
