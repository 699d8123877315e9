#include "graph/onnx/model.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>

#include <climits>
#include <fmt/format.h>

#include "base/text.h"
#include "graph/onnx/mapped_file.h"
#include "graph/onnx/strip_weights.h"

namespace ergon::graph::onnx {
namespace {

Result<OnnxModel> parse(google::protobuf::io::ZeroCopyInputStream& stream) {
  const google::protobuf::LogSilencer quiet;  // suppresses messages on stderr
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(INT_MAX);
  OnnxModel model;
  if (!model.proto.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    return fail(Errc::invalid_input, "not an ONNX model, truncated, or nested deeper than 100 levels");
  }
  if (!model.proto.has_graph() || model.proto.graph().node_size() == 0) {
    return fail(Errc::invalid_input, "not an ONNX model: it has no nodes");
  }
  for (const auto& opset : model.proto.opset_import()) {
    if (opset.domain().empty() || opset.domain() == "ai.onnx") model.opset = opset.version();
  }
  if (model.opset < kOldestOpset || model.opset > kNewestOpset) {
    return fail(Errc::unsupported, "opset {} is not supported; expected {} to {}", model.opset, kOldestOpset,
                kNewestOpset);
  }
  return model;
}

// Node metadata is newer than the installed onnx library, so it is searched as text.
std::string modules_of(const ::onnx::ModelProto& proto, std::string_view bytes) {
  for (const auto& note : proto.metadata_props()) {
    if (note.key() == kModulesNote) return note.value();
  }
  return bytes.find("transformers.models.") == std::string_view::npos ? "" : "transformers";
}

}  // namespace

Result<OnnxModel> parse_model(std::string_view bytes, const InputLimits& limits) {
  if (has_more_parts(bytes, limits.parts))
    return fail(Errc::invalid_input, "more than {} nodes, attributes and names; {}", limits.parts,
                how_to_raise("parts", "N"));
  const auto light = strip_weights(bytes);
  const std::string_view model = light ? std::string_view(*light) : bytes;
  if (model.size() > static_cast<std::size_t>(INT_MAX))
    return fail(Errc::unsupported, "the model is larger than 2 GiB");
  google::protobuf::io::ArrayInputStream stream(model.data(), static_cast<int>(model.size()));
  auto parsed = parse(stream);
  if (parsed) parsed->modules = modules_of(parsed->proto, model);
  return parsed;
}

Result<OnnxModel> read_model(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  auto model = parse_model(file->bytes());
  if (!model) return model.error().in(path);
  return model;
}

std::string describe(const ::onnx::NodeProto& node) {
  const std::string name = !node.name().empty() ? node.name() : node.output_size() > 0 ? node.output(0) : "?";
  return fmt::format("node \"{}\" ({})", printable(name), printable(node.op_type()));
}

}  // namespace ergon::graph::onnx
