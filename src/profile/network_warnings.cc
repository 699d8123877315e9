#include "profile/network_warnings.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ergon::profile {

std::vector<std::string> network_warnings(
    const std::vector<LoadedNetwork>& networks,
    const std::function<std::vector<std::string>(const graph::Network&)>& warnings_of) {
  // In order of first occurrence, with the names of the networks.
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const LoadedNetwork& network : networks) {
    for (const std::string& text : warnings_of(network.network)) {
      auto known =
          std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.first == text; });
      if (known == found.end()) known = found.insert(found.end(), {text, {}});
      known->second.push_back(network.name);
    }
  }
  std::vector<std::string> warnings;
  for (const auto& [text, names] : found)
    warnings.push_back(names.size() == networks.size() ? text
                                                       : fmt::format("{}: {}", fmt::join(names, ", "), text));
  return warnings;
}

}  // namespace ergon::profile
