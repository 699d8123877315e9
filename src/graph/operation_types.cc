#include "graph/operation_types.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ergon::graph {

std::vector<OperationTypeSum> sums_by_type(std::span<const UniqueOperation> operations) {
  std::map<std::string, OperationTypeSum> sums;
  for (const UniqueOperation& operation : operations) {
    OperationTypeSum& sum = sums[operation.kind];
    sum.kind = operation.kind;
    sum.count += operation.count;
    sum.macs += operation.count * operation.each.macs;
    sum.flops += operation.count * operation.each.flops;
    sum.bytes_moved += operation.count * operation.each.bytes_moved();
  }
  std::vector<OperationTypeSum> sorted;
  for (auto& [kind, sum] : sums) sorted.push_back(std::move(sum));
  std::stable_sort(sorted.begin(), sorted.end(), [](const OperationTypeSum& a, const OperationTypeSum& b) {
    return std::tie(a.macs, a.bytes_moved) > std::tie(b.macs, b.bytes_moved);
  });
  return sorted;
}

}  // namespace ergon::graph
