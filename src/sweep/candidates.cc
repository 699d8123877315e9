#include "sweep/candidates.h"

#include <algorithm>

#include <fmt/format.h>

#include "device/twin/network_precision.h"
#include "sweep/table_one.h"

namespace ergon::sweep {
namespace {

// An empty name means the name of the loaded network.
std::vector<ListedNetwork> expanded(const std::vector<std::string>& names) {
  std::vector<ListedNetwork> listed;
  for (const std::string& name : names) {
    if (name == kTableOne) {
      listed.insert(listed.end(), table_one().begin(), table_one().end());
    } else {
      listed.push_back({"", name});
    }
  }
  return listed;
}

}  // namespace

Result<std::vector<profile::LoadedNetwork>> load_candidates(const std::vector<std::string>& names,
                                                            std::optional<std::int64_t> size,
                                                            const LoadNetwork& load) {
  std::vector<profile::LoadedNetwork> all;
  for (const ListedNetwork& each : expanded(names)) {
    auto candidate = load(each.zoo_name);
    if (!candidate) return candidate.error();
    if (!each.name.empty()) candidate->name = each.name + (size ? fmt::format("@{}", *size) : "");
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const auto& other) { return other.name == candidate->name; });
    if (same == all.end()) {
      all.push_back(std::move(*candidate));
    } else if (same->network.family != candidate->network.family) {
      return fail(Errc::invalid_input, "{}/{} and {}/{} have the same name \"{}\"; use separate sweeps",
                  same->network.family, same->network.name, candidate->network.family,
                  candidate->network.name, candidate->name);
    }
  }
  return all;
}

Result<device::Precision> precision_of(const std::vector<profile::LoadedNetwork>& candidates,
                                       std::optional<device::Precision> given) {
  if (given) return *given;
  std::optional<device::Precision> common;
  for (const profile::LoadedNetwork& each : candidates) {
    const device::Precision precision = device::default_precision(each.network);
    if (common && *common != precision)
      return fail(Errc::invalid_input,
                  "--precision: {} is {} and {} is {}; choose one data type or use separate sweeps",
                  candidates.front().network.name, name_of(*common), each.network.name, name_of(precision));
    common = precision;
  }
  return common.value_or(device::Precision::tf32);
}

}  // namespace ergon::sweep
