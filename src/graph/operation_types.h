#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/summary.h"

namespace ergon::graph {

// All operations of one type in a network.
struct OperationTypeSum {
  std::string kind;
  std::int64_t count = 0, macs = 0, flops = 0, bytes_moved = 0;

  // FLOP per byte. Contract: bytes_moved is not 0.
  double intensity() const { return static_cast<double>(flops) / static_cast<double>(bytes_moved); }
};

// By descending MACs, then by descending memory traffic, then by name.
std::vector<OperationTypeSum> sums_by_type(std::span<const UniqueOperation> operations);

}  // namespace ergon::graph
