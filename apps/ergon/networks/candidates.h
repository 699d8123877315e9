#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "options.h"
#include "profile/plan.h"

namespace ergon::app {

// Networks by their places (names of the zoo, files), each once, under the names that datasets know them by:
// the zoo's, with the family unless that is the usual one, or the file's with a digest of what it holds, so
// that another file of that name is another network. Errors: whatever loading them can do.
Result<std::vector<profile::Candidate>> load_candidates(const std::vector<std::string>& places,
                                                        std::optional<std::int64_t> size);

// "--size", for commands that take such a list.
void declare_size(Options& options, std::optional<std::int64_t>& size);

}  // namespace ergon::app
