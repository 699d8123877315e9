#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/plan.h"

namespace ergon::sources {

// Loads networks by zoo name or file, without duplicates, under their names in datasets. A zoo network has
// its zoo name, with the family unless that is torchvision or hf. A file has its name and a digest of its
// contents ("net#1a2b3c4d"), so that two files of one name are two networks. Errors: those of NetworkSource.
Result<std::vector<profile::LoadedNetwork>> load_networks(const std::vector<std::string>& names,
                                                          std::optional<std::int64_t> size);

}  // namespace ergon::sources
