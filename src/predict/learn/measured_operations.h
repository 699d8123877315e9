#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/twin/specification.h"
#include "predict/estimate/task.h"

namespace ergon::predict {

// A GPU without TF32 units computes fp32 and tf32 alike: both become tf32.
WorkloadConfig effective_config(const WorkloadConfig& config, const device::Specification& gpu);

// Operations of the training data with their exact shapes, mode and precision. Forests reproduce the measured
// time of these, host-bound time included; for others they interpolate between similar operations.
class MeasuredOperations {
 public:
  using Key = std::pair<graph::Mode, device::Precision>;
  using Ids = std::vector<std::uint64_t>;  // ascending, without duplicates

  MeasuredOperations() = default;
  explicit MeasuredOperations(std::map<Key, Ids> ids);

  // Contract for both: `config` is an effective_config().
  void add(const Task& task, const WorkloadConfig& config);
  // False for images with an unintended channels-last layout: single operations are measured channels-first.
  bool contains(const Task& task, const WorkloadConfig& config) const;
  const std::map<Key, Ids>& ids() const { return ids_; }

 private:
  std::map<Key, Ids> ids_;
};

}  // namespace ergon::predict
