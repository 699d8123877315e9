// Imports an ONNX file.
//
// The batch is symbolic (batch_detection.h). A file with a fixed batch is first imported with a symbolic one.
// If that fails (a constant that depends on the batch, samples that depend on each other), it is imported
// again with the fixed batch.

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "graph/onnx/constant_values.h"
#include "graph/onnx/content.h"
#include "graph/onnx/importer.h"
#include "graph/onnx/mapped_file.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/weight_inputs.h"

namespace ergon::graph::onnx {
namespace {

using Nodes = std::vector<::onnx::NodeProto>;

// Rejects dimensions that no input has: probably a typing error.
Result<> check_dimensions(const OnnxModel& model, const ImportOptions& options) {
  std::vector<std::string> names;
  for (const auto& input : model.proto.graph().input()) {
    const auto shape = declared_shape(input);
    if (!shape) continue;
    for (const auto& extent : shape->extents) {
      if (!extent.size && !extent.name.empty()) names.push_back(extent.name);
    }
  }
  for (const auto& [name, size] : options.dimensions) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return fail(Errc::invalid_input, "no input has a symbolic dimension \"{}\"{}", printable(name),
                  suggestion(name, names));
    }
  }
  return {};
}

Result<Network> import_graph(const OnnxModel& model, const Nodes& nodes, const ModelLocation& where,
                             const ImportOptions& options, ImportRecord* record) {
  const auto absent = weight_inputs(model.proto.graph(), nodes);
  BatchDetection batch = detect_batch(model, options, absent);
  auto network = Importer(model, nodes, options, where, batch, absent).run(record);
  if (network || !batch.made_symbolic()) return network;
  batch.symbolic = false;
  return Importer(model, nodes, options, where, batch, absent).run(record);
}

Result<Network> import_model(const OnnxModel& model, const ModelLocation& where,
                             const ImportOptions& options) {
  if (const auto good = check_dimensions(model, options); !good) return good.error();
  const auto nodes = ordered_nodes(model);
  if (!nodes) return nodes.error();
  return import_graph(model, *nodes, where, options, nullptr);
}

Result<ImportedModel> import_filled(std::string_view bytes, const ModelLocation& where,
                                    const ImportOptions& options) {
  const auto model = parse_model(bytes);
  if (!model) return model.error();
  if (const auto good = check_dimensions(*model, options); !good) return good.error();
  const auto nodes = ordered_nodes(*model);
  if (!nodes) return nodes.error();
  ImportRecord record;
  auto network = import_graph(*model, *nodes, where, options, &record);
  if (!network) return network.error();
  ConstantValues constants(bytes, where.folder, *model, *nodes, record.values);
  auto content = content_of(*model, record, constants);
  if (!content) return ImportedModel{std::move(*network), std::nullopt, content.error().message};
  return ImportedModel{std::move(*network), std::move(*content), ""};
}

// A file's name without extension, and its folder.
ModelLocation source_of(const std::string& path) {
  const std::filesystem::path file(path);
  return {file.stem().string(), file.parent_path().empty() ? "." : file.parent_path().string()};
}

}  // namespace

Result<Network> import_onnx(std::string_view bytes, const std::string& name, const ImportOptions& options) {
  const auto model = parse_model(bytes);
  if (!model) return model.error().in(name);
  auto network = import_model(*model, {name, ""}, options);
  if (!network) return network.error().in(name);
  return network;
}

Result<Network> import_onnx_file(const std::string& path, const ImportOptions& options) {
  const auto model = read_model(path);
  if (!model) return model.error();
  auto network = import_model(*model, source_of(path), options);
  if (!network) return network.error().in(path);
  return network;
}

Result<ImportedModel> import_onnx_with_weights(std::string_view bytes, const std::string& name,
                                               const ImportOptions& options) {
  auto filled = import_filled(bytes, {name, ""}, options);
  if (!filled) return filled.error().in(name);
  return filled;
}

Result<ImportedModel> import_onnx_with_weights(const std::string& path, const ImportOptions& options) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  auto filled = import_filled(file->bytes(), source_of(path), options);
  if (!filled) return filled.error().in(path);
  return filled;
}

}  // namespace ergon::graph::onnx
