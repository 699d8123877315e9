#include "predict/host.h"

#include <algorithm>

namespace ergon::predict {

std::string_view name_of(Host host) {
  switch (host) {
    case Host::python:
      return "python";
    case Host::native:
      return "native";
    case Host::transformers:
      return "transformers";
  }
  return "";
}

std::optional<Host> host_named(std::string_view name) {
  const auto found =
      std::find_if(kHosts.begin(), kHosts.end(), [&](Host each) { return name_of(each) == name; });
  return found == kHosts.end() ? std::nullopt : std::optional(*found);
}

int likeness(Host wanted, Host other) {
  if (wanted == other) return 2;
  return wanted != Host::native && other != Host::native ? 1 : 0;
}

Host usual_host(const graph::Network& network) {
  return network.modules == name_of(Host::transformers) ? Host::transformers : Host::python;
}

}  // namespace ergon::predict
