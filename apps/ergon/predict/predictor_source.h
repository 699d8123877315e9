#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "options.h"
#include "predict/predictor.h"

namespace ergon::app {

// The predictor of a device, with the given model file, the bundled model or the twin alone.
// Errors: unknown device; a model that cannot be read or was fitted for another device.
Result<predict::Predictor> predictor_for(const std::string& device, const std::optional<std::string>& model);

// "--precision"; the default is PyTorch's.
struct PrecisionSetting {
  std::string name = "tf32";

  void declare(Options& options);
  device::Precision precision() const;
};

// "--host", the launch host; the default depends on the network.
struct HostSetting {
  std::string name;

  void declare(Options& options);
  predict::LaunchHost for_network(const graph::Network& network) const;
};

}  // namespace ergon::app
