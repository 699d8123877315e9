#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/twin/specification.h"
#include "predict/task.h"

namespace ergon::predict {

// A chip without units for TF32 does the same for plain 32 bits: one name for both.
Condition as_run(const Condition& condition, const device::Specification& gpu);

// Which operations were learned from, each at its extents, mode and numbers. What trees say of these is as
// good as a measurement, waiting included; of others they know relatives.
class KnownOperations {
 public:
  using Key = std::pair<graph::Mode, device::Precision>;
  using Ids = std::vector<std::uint64_t>;  // in ascending order, each once

  KnownOperations() = default;
  explicit KnownOperations(std::map<Key, Ids> ids);

  // Contract for both: a condition as it is run.
  void add(const Task& task, const Condition& condition);
  // Images that lie otherwise than alone were not measured so.
  bool contains(const Task& task, const Condition& condition) const;
  const std::map<Key, Ids>& ids() const { return ids_; }

 private:
  std::map<Key, Ids> ids_;
};

}  // namespace ergon::predict
