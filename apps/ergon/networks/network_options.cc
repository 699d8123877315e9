#include "networks/network_options.h"

#include "base/text.h"

namespace ergon::app {

void declare_network(Options& options, NetworkSource& network, bool required) {
  const char* const help = "network: a zoo name, an .onnx file or a topology .csv file";
  if (required) {
    options.argument("NET", network.where, help);
  } else {
    options.optional_argument("NET", network.where, help);
  }
  options.positive_count("--size", network.size, graph::kMaxExtent, "image side in pixels (zoo networks)");
  options.positive_count("--sequence", network.sequence, graph::kMaxExtent,
                         "tokens per sequence (zoo language models)");
  options.list("--dim", network.dimensions, "NAME=N", "size of a symbolic dimension of an .onnx file");
  options.flag("--strict", network.strict, "fail on .onnx operations of unknown cost");
}

void declare_size(Options& options, std::optional<std::int64_t>& size) {
  constexpr std::int64_t kMaxSize = 100000;
  options.positive_count("--size", size, kMaxSize, "image side in pixels (zoo networks)");
}

void CostSettings::declare(Options& options) {
  options.batch("--batch", batch, "samples per iteration (default: 1, or the file's)");
  options.enumeration("--mode", mode, graph::kModes, "one forward pass, or forward and backward pass");
}

void CostSettings::declare_briefly(Options& options) {
  options.batch("--batch", batch, "samples per iteration (default: 1, or the file's)");
  options.enumeration("--mode", mode, "M", graph::kModes, "inference or training (default: inference)");
}

std::int64_t CostSettings::batch_for(const graph::Network& network) const {
  if (batch) return *batch;
  return network.default_batch.value_or(1);
}

}  // namespace ergon::app
