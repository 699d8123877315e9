#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::predict {

// The program that launches kernels. Python needs longer per launch than a native program, and longest with
// deeply nested modules such as those of Hugging Face's transformers.
enum class LaunchHost : std::uint8_t { python, native, transformers };
inline constexpr std::array kLaunchHosts{LaunchHost::python, LaunchHost::native, LaunchHost::transformers};
std::string_view name_of(LaunchHost host);
// Ignores case. Errors: unknown_name, with a suggestion.
Result<LaunchHost> launch_host_named(std::string_view name);
// For choosing the nearest measured host: 2 if equal, 1 if both run Python, otherwise 0.
int similarity(LaunchHost wanted, LaunchHost other);
// Python, with the modules that the network is written in.
LaunchHost default_launch_host(const graph::Network& network);

}  // namespace ergon::predict
