#pragma once

#include <optional>
#include <string>
#include <vector>

#include "networks/network_source.h"
#include "systolic/simulate.h"

namespace ergon::app {

// The layers to simulate: a network, or a topology file as SCALE-Sim reads it.
struct LayerSource {
  NetworkSource network;
  std::optional<std::string> topology_file;  // -t
  std::string form;                          // -i

  // With SCALE-Sim's own -t and -i, or a network alone.
  void declare(Options& options, bool with_topology);
  Result<std::vector<systolic::Layer>> load() const;
  // "mobilenet" of "topologies/mobilenet.csv".
  std::string name() const;
  std::vector<std::string> files() const;

 private:
  graph::TopologyForm wanted_form() const;
  Result<std::vector<systolic::Layer>> load_topology(const std::string& file) const;
};

}  // namespace ergon::app
