#include "graph/onnx/batch_norm_folding.h"

#include <algorithm>
#include <string>

namespace ergon::graph::onnx {
namespace {

// The weight of a folded convolution is a new value, "onnx::Conv_497", and it has a bias.
bool has_numbered_weight(const ::onnx::NodeProto& node) {
  return node.input_size() > 2 && node.input(1).starts_with("onnx::Conv_");
}

// torch.onnx writes the metadata of the batch norm to the node that replaces it. The field is newer than the
// libraries that this may be built with, so all bytes are searched.
bool names_batch_norm(const ::onnx::NodeProto& node) {
  const std::string bytes = node.SerializeAsString();
  return bytes.find("FuseBatchNormInto") != std::string::npos ||
         bytes.find("torch.nn.modules.batchnorm") != std::string::npos;
}

}  // namespace

std::int64_t folded_batch_norms(const std::vector<::onnx::NodeProto>& nodes) {
  return std::count_if(nodes.begin(), nodes.end(), [](const ::onnx::NodeProto& node) {
    return (node.op_type() == "Conv" || node.op_type() == "ConvTranspose") &&
           (has_numbered_weight(node) || names_batch_norm(node));
  });
}

}  // namespace ergon::graph::onnx
