#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/network.h"
#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "options.h"

namespace ergon::app {

// A network by its place: a name from the zoo, an .onnx file or a topology .csv.
struct NetworkSource {
  std::string where;
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> sequence;
  std::vector<std::string> dimensions;  // "height=224"
  bool strict = false;

  void declare(Options& options, bool required = true);
  Result<graph::Network> load() const;
  // As a framework runs it: what exporters spell out is read back.
  Result<graph::Network> load_to_run() const;
  // With the numbers that the file holds, if it is one that holds them.
  Result<graph::onnx::Filled> load_filled() const;
  // Fails when an option was given that says nothing about a topology file.
  Result<> check_for_topology(const std::string& file) const;
  // The files that were read, for the provenance.
  std::vector<std::string> files() const;

 private:
  Result<> check_without_zoo(const std::string& file) const;
  Result<> check_without_onnx(const std::string& place) const;
};

// "--batch" and "--mode", for commands that ask what a network costs.
struct CostSettings {
  std::optional<std::int64_t> batch;
  std::string mode = "inference";

  void declare(Options& options);
  // The same in fewer columns, for a command with many options.
  void declare_briefly(Options& options);
  std::int64_t batch_for(const graph::Network& network) const;
  graph::Mode cost_mode() const;
};

}  // namespace ergon::app
