#pragma once

#include <cstdint>
#include <onnx/onnx_pb.h>
#include <vector>

namespace ergon::graph::onnx {

// Number of convolutions into which the exporter folded a batch norm, as its traces in the file tell:
// PyTorch's exporters record the rewrite rule and the module, or give the folded weight a number instead of
// its name. Files of other tools do not tell.
std::int64_t folded_batch_norms(const std::vector<::onnx::NodeProto>& nodes);

}  // namespace ergon::graph::onnx
