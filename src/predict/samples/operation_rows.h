#pragma once

#include <set>
#include <vector>

#include "device/twin/specification.h"
#include "predict/learn/learner.h"
#include "predict/model/model.h"
#include "predict/samples/sample.h"

namespace ergon::predict {

// A measured operation with its features and physical estimate.
struct OperationRow {
  const OperationSample* sample = nullptr;
  std::vector<float> features;
  Seconds settled;  // physical estimate
  Watts settled_power;

  // Weight of the row, 0 to 1: how much of its time was kernels rather than launch overhead (`host`).
  double busy(Seconds host) const;
  double time_ratio() const;   // log(measured / estimate)
  double power_ratio() const;  // log(measured / estimate)
};

// Rows with and without power, in the order of the samples.
std::vector<OperationRow> operation_rows(const TrainingData& data, const device::Specification& gpu);

// Launch overhead by operation type: as measured, or the time of operations whose kernels are negligibly
// short. Types without measurements get the twin's. Also the power between kernels of these operations.
// Ignores operations whose group is in `excluded`.
LaunchOverhead launch_overhead_of(const TrainingData& data, const device::Specification& gpu,
                                  const std::set<std::string>& excluded = {});

TrainingRange range_of(const TrainingData& data);
void add_to(TrainingRange& range, const OperationSample& sample);

}  // namespace ergon::predict
