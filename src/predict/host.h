#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/network.h"

namespace ergon::predict {

// Who asks for the kernels. An interpreter takes longer to ask than a program does, and longer still through
// modules of many layers, as those of Hugging Face's transformers.
enum class Host : std::uint8_t { python, native, transformers };
inline constexpr std::array kHosts{Host::python, Host::native, Host::transformers};
std::string_view name_of(Host host);
std::optional<Host> host_named(std::string_view name);
// Who is asked where the wanted one is not known: 2 for itself, 1 for one that is alike, 0 for others.
int likeness(Host wanted, Host other);
// Who runs a network unless something else is said: Python, with the modules that it is written in.
Host usual_host(const graph::Network& network);

}  // namespace ergon::predict
