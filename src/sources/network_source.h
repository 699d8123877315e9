#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/network.h"
#include "graph/onnx/onnx.h"

namespace ergon::sources {

// A network given by a user: a zoo name, an .onnx file or a topology .csv file.
struct NetworkSource {
  std::string where;
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> sequence;
  std::vector<std::string> dimensions;  // "height=224"
  bool strict = false;                  // fail on .onnx operations of unknown cost

  // Errors: unknown_name with the nearest name; those of reading the file; invalid_input if a setting does
  // not apply to this kind of network.
  Result<graph::Network> load() const;
  // As a framework runs it: decomposed operators of an .onnx file are fused (graph::fuse_idioms).
  Result<graph::Network> load_fused() const;
  // With the weights of the file, if it has them.
  Result<graph::onnx::ImportedModel> load_with_weights() const;
  // Fails if an option was given that does not apply to topology files.
  Result<> check_for_topology(const std::string& file) const;
  // Input files, for the provenance.
  std::vector<std::string> files() const;
  bool is_onnx_file() const;
  bool is_topology_file() const;

 private:
  Result<> check_without_zoo(const std::string& file) const;
  Result<> check_without_onnx(const std::string& name) const;
};

}  // namespace ergon::sources
