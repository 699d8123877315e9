// Modules as PyTorch prints them: one line, and the input shape on the next. Any text is rejected with a
// message or parsed as an operation with positive or uncountable costs.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "calibrate/torch_operation.h"
#include "graph/summary.h"
#include "predict/estimate/task.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto end = text.find('\n');
  const std::string_view module = text.substr(0, end);
  const std::string_view extents = end == std::string_view::npos ? "" : text.substr(end + 1);
  const auto operation = calibrate::torch_operation(module, extents);
  if (!operation) return operation.error().message.empty() ? (std::abort(), 0) : 0;
  const graph::Network& network = operation->network;
  if (operation->batch < 1 || network.nodes.empty() || network.outputs.size() != 1) std::abort();
  for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training}) {
    const auto bill = graph::network_costs(network, operation->batch, mode);
    if (bill && (bill->totals.sum.macs < 0 || bill->totals.sum.flops < 0)) std::abort();
    const auto task = predict::standalone_task(network, {operation->batch, mode, device::Precision::tf32});
    if (!task && task.error().message.empty()) std::abort();
  }
  return 0;
}
