#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/precision.h"
#include "profile/plan.h"

namespace ergon::sweep {

// Loads a network by zoo name or file, with its name in datasets.
using LoadNetwork = std::function<Result<profile::LoadedNetwork>(const std::string& name)>;

// Stands for the 31 networks of table_one().
inline constexpr const char* kTableOne = "table1";

// Loads the networks of a sweep, without duplicates. Networks of table_one() have their names in the paper;
// `size`, the image side that `load` uses, is appended to them ("vgg16@448"). Errors: those of `load`;
// networks of two families that have the same name.
Result<std::vector<profile::LoadedNetwork>> load_candidates(const std::vector<std::string>& names,
                                                            std::optional<std::int64_t> size,
                                                            const LoadNetwork& load);

// The precision of a sweep: the given one, or that of its networks. Errors: invalid_input if the networks
// have several, because rows do not say theirs.
Result<device::Precision> precision_of(const std::vector<profile::LoadedNetwork>& candidates,
                                       std::optional<device::Precision> given);

}  // namespace ergon::sweep
