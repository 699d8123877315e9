// Modules as PyTorch prints them: a line, and the extents of its input on the next. Whatever the text is, it
// is refused in words or read as an operation that costs something or whose costs cannot be counted.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "calibrate/torch_operation.h"
#include "graph/summary.h"
#include "predict/task.h"

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
    const auto bill = graph::bill(network, operation->batch, mode);
    if (bill && (bill->totals.sum.macs < 0 || bill->totals.sum.flops < 0)) std::abort();
    const auto task = predict::lone_task(network, {operation->batch, mode, device::Precision::tf32});
    if (!task && task.error().message.empty()) std::abort();
  }
  return 0;
}
