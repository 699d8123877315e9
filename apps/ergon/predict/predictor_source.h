#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "options.h"
#include "predict/predictor.h"

namespace ergon::app {

// The predictor of a device: by the model that was asked for, by the one that comes with Ergon, or by the
// twin. Errors: no such device; a model that cannot be read, or is of another device.
Result<predict::Predictor> predictor_for(const std::string& device, const std::optional<std::string>& model);

// "--precision" with what PyTorch does unless told otherwise.
struct PrecisionSetting {
  std::string name = "tf32";

  void declare(Options& options);
  device::Precision wanted() const;
};

// Who asks for the kernels: whoever usually runs the network, unless one is named.
struct HostSetting {
  std::string name;

  void declare(Options& options);
  predict::Host for_network(const graph::Network& network) const;
};

}  // namespace ergon::app
