#include "predict/estimate/launch_host.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace ergon::predict {

std::string_view name_of(LaunchHost host) {
  switch (host) {
    case LaunchHost::python:
      return "python";
    case LaunchHost::native:
      return "native";
    case LaunchHost::transformers:
      return "transformers";
  }
  return "";
}

Result<LaunchHost> launch_host_named(std::string_view name) {
  const std::string wanted = lower(name);
  std::vector<std::string> names;
  for (const LaunchHost each : kLaunchHosts) {
    if (name_of(each) == wanted) return each;
    names.emplace_back(name_of(each));
  }
  return fail(Errc::unknown_name, "\"{}\" is not a launch host; expected {}{}", printable(name),
              fmt::join(names, ", "), suggestion(wanted, names));
}

int similarity(LaunchHost wanted, LaunchHost other) {
  if (wanted == other) return 2;
  return wanted != LaunchHost::native && other != LaunchHost::native ? 1 : 0;
}

LaunchHost default_launch_host(const graph::Network& network) {
  return network.modules == name_of(LaunchHost::transformers) ? LaunchHost::transformers : LaunchHost::python;
}

}  // namespace ergon::predict
