#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/network.h"
#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "options.h"

namespace ergon::app {

// A network given on the command line: a zoo name, an .onnx file or a topology .csv file.
struct NetworkSource {
  std::string where;
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> sequence;
  std::vector<std::string> dimensions;  // "height=224"
  bool strict = false;

  void declare(Options& options, bool required = true);
  Result<graph::Network> load() const;
  // As a framework runs it: decomposed operators of an .onnx file are fused (graph::fuse_idioms).
  Result<graph::Network> load_fused() const;
  // With the weights of the file, if it has them.
  Result<graph::onnx::ImportedModel> load_with_weights() const;
  // Fails if an option was given that does not apply to topology files.
  Result<> check_for_topology(const std::string& file) const;
  // Input files, for the provenance.
  std::vector<std::string> files() const;

 private:
  Result<> check_without_zoo(const std::string& file) const;
  Result<> check_without_onnx(const std::string& name) const;
};

// --batch and --mode, for commands that compute costs of a network.
struct CostSettings {
  std::optional<std::int64_t> batch;
  std::string mode = "inference";

  void declare(Options& options);
  // The same with shorter help, for commands with many options.
  void declare_briefly(Options& options);
  std::int64_t batch_for(const graph::Network& network) const;
  graph::Mode cost_mode() const;
};

}  // namespace ergon::app
