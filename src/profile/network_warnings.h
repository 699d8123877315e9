#pragma once

#include <functional>
#include <string>
#include <vector>

#include "profile/plan.h"

namespace ergon::profile {

// Warnings of several networks, each once. One that does not apply to all of them begins with the names of
// its networks: "mlp, resnet: the speed of int8 operations is not modeled".
std::vector<std::string> network_warnings(
    const std::vector<LoadedNetwork>& networks,
    const std::function<std::vector<std::string>(const graph::Network&)>& warnings_of);

}  // namespace ergon::profile
