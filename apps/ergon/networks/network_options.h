#pragma once

#include <cstdint>
#include <optional>

#include "graph/cost.h"
#include "graph/network.h"
#include "options.h"
#include "sources/network_source.h"

namespace ergon::app {

using sources::NetworkSource;

// Declares NET, --size, --sequence, --dim and --strict.
void declare_network(Options& options, NetworkSource& network, bool required = true);
// Declares --size, for commands that take a list of networks.
void declare_size(Options& options, std::optional<std::int64_t>& size);

// --batch and --mode, for commands that compute costs of a network.
struct CostSettings {
  std::optional<std::int64_t> batch;
  graph::Mode mode = graph::Mode::inference;

  void declare(Options& options);
  // The same with shorter help, for commands with many options.
  void declare_briefly(Options& options);
  std::int64_t batch_for(const graph::Network& network) const;
};

}  // namespace ergon::app
