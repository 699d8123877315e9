#include "allocate/gpu/sequence.h"

#include <map>
#include <optional>

#include "graph/summary.h"

namespace ergon::allocate {

std::string_view name_of(Pass pass) { return pass == Pass::forward ? "forward" : "backward"; }

Result<std::vector<StepLaunch>> sequence_of(const graph::Network& network, const device::Workload& workload) {
  const auto distinct = graph::unique_operations(network, workload.batch, workload.mode);
  if (!distinct) return distinct.error();
  std::map<graph::NodeId, std::size_t> by_example;
  for (std::size_t i = 0; i < workload.operations.size(); ++i) by_example[workload.operations[i].example] = i;
  std::vector<std::optional<std::size_t>> operation_of(network.nodes.size());
  for (const graph::UniqueOperation& each : *distinct) {
    const auto found = by_example.find(each.example);
    if (found == by_example.end()) continue;
    for (const graph::NodeId node : each.nodes) operation_of[node] = found->second;
  }
  std::vector<StepLaunch> launches;
  for (graph::NodeId node = 0; node < operation_of.size(); ++node) {
    if (operation_of[node]) launches.push_back({node, *operation_of[node], Pass::forward});
  }
  for (std::size_t i = launches.size(); i-- > 0;) {
    if (workload.operations[launches[i].operation].backward.empty()) continue;
    launches.push_back({launches[i].node, launches[i].operation, Pass::backward});
  }
  return launches;
}

}  // namespace ergon::allocate
