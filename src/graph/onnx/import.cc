// From an ONNX file to a network.
//
// The batch is kept open (batch_reading.h). A file that fixes it is first read as if it did not; when that
// does not work (a number where the batch should be, samples that meet each other), it is walked again with
// the number.

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "graph/onnx/absent_weights.h"
#include "graph/onnx/constant_values.h"
#include "graph/onnx/content.h"
#include "graph/onnx/importer.h"
#include "graph/onnx/mapped_file.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {
namespace {

using Nodes = std::vector<::onnx::NodeProto>;

// A dimension that was given and is nowhere would be a typing mistake that goes unnoticed.
Result<> check_dimensions(const Model& model, const ImportOptions& options) {
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
      return fail(Errc::invalid_input, "no input has an open dimension \"{}\"{}", printable(name),
                  suggestion(name, names));
    }
  }
  return {};
}

Result<Network> walk(const Model& model, const Nodes& nodes, const Source& where,
                     const ImportOptions& options, Notes* notes) {
  const auto absent = absent_weights(model.proto.graph(), nodes);
  BatchReading batch = declared_batch(model, options, absent);
  auto network = Importer(model, nodes, options, where, batch, absent).run(notes);
  if (network || !batch.reopened()) return network;
  batch.open = false;
  return Importer(model, nodes, options, where, batch, absent).run(notes);
}

Result<Network> import_model(const Model& model, const Source& where, const ImportOptions& options) {
  if (const auto good = check_dimensions(model, options); !good) return good.error();
  const auto nodes = ordered_nodes(model);
  if (!nodes) return nodes.error();
  return walk(model, *nodes, where, options, nullptr);
}

Result<Filled> import_filled(std::string_view bytes, const Source& where, const ImportOptions& options) {
  const auto model = parse_model(bytes);
  if (!model) return model.error();
  if (const auto good = check_dimensions(*model, options); !good) return good.error();
  const auto nodes = ordered_nodes(*model);
  if (!nodes) return nodes.error();
  Notes notes;
  auto network = walk(*model, *nodes, where, options, &notes);
  if (!network) return network.error();
  ConstantValues constants(bytes, where.folder, *model, *nodes, notes.values);
  auto content = content_of(*model, notes, constants);
  if (!content) return Filled{std::move(*network), std::nullopt, content.error().message};
  return Filled{std::move(*network), std::move(*content), ""};
}

// A file's name without its ending, and its folder.
Source source_of(const std::string& path) {
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

Result<Filled> import_onnx_filled(std::string_view bytes, const std::string& name,
                                  const ImportOptions& options) {
  auto filled = import_filled(bytes, {name, ""}, options);
  if (!filled) return filled.error().in(name);
  return filled;
}

Result<Filled> import_onnx_filled(const std::string& path, const ImportOptions& options) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  auto filled = import_filled(file->bytes(), source_of(path), options);
  if (!filled) return filled.error().in(path);
  return filled;
}

}  // namespace ergon::graph::onnx
