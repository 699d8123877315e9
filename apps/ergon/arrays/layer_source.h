#pragma once

#include <optional>
#include <string>
#include <vector>

#include "networks/network_options.h"
#include "systolic/array/layer.h"

namespace ergon::app {

// The layers to simulate: a network, or a topology file as SCALE-Sim reads it.
struct LayerSource {
  NetworkSource network;
  std::optional<std::string> topology_file;  // -t
  std::optional<graph::TopologyForm> form;   // -i

  // What the command line takes: NET, NET or a subcommand (load() fails if both are missing), or NET or
  // SCALE-Sim's -t and -i.
  enum class Input : std::uint8_t { network, network_or_child, network_or_topology };
  void declare(Options& options, Input input);
  Result<std::vector<systolic::Layer>> load() const;
  // "mobilenet" of "topologies/mobilenet.csv".
  std::string name() const;
  std::vector<std::string> files() const;

 private:
  bool takes_topology_ = false;
  Result<std::vector<systolic::Layer>> load_topology(const std::string& file) const;
  Result<std::vector<systolic::Layer>> load_network() const;
};

}  // namespace ergon::app
