#include "sources/network_target.h"

#include "graph/onnx/onnx.h"
#include "sources/network_file.h"

namespace ergon::sources {

Result<std::string> NetworkTarget::contents(const graph::Network& network) const {
  if (is_onnx_file(file)) {
    if (form) return fail(Errc::invalid_input, "--form applies to .csv files only, not to {}", file);
    return graph::onnx::export_onnx(network);
  }
  if (!is_topology_file(file))
    return fail(Errc::invalid_input, "{}: expected a file name that ends in .onnx or .csv", file);
  const auto topology = graph::topology_of(network, form.value_or(graph::TopologyForm::convolutions));
  if (!topology) return topology.error();
  return graph::to_csv(*topology);
}

}  // namespace ergon::sources
