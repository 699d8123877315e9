#pragma once

#include <set>
#include <vector>

#include "device/twin/specification.h"
#include "predict/learner.h"
#include "predict/model.h"
#include "predict/sample.h"

namespace ergon::predict {

// A measured operation as learners see it.
struct OperationRow {
  const OperationSample* sample = nullptr;
  std::vector<float> features;
  Seconds settled;  // the physical estimate
  Watts settled_power;

  // How much the row tells of the kernels, rather than of a host that needs so long: 0 to 1.
  double busy(Seconds host) const;
  double time_ratio() const;
  double power_ratio() const;
};

// Rows with power and without; in the order of the samples.
std::vector<OperationRow> operation_rows(const TrainingData& data, const device::Specification& gpu);

// What the host needs for each kind of operation: as measured, or as the time of operations that are too
// small for anything else to matter. Kinds nobody measured: the twin's. And what the device drew while these
// waited. Groups of operations in `left_out` are not looked at.
HostCosts host_costs(const TrainingData& data, const device::Specification& gpu,
                     const std::set<std::string>& left_out = {});

Range range_of(const TrainingData& data);
void add_to(Range& range, const OperationSample& sample);

}  // namespace ergon::predict
