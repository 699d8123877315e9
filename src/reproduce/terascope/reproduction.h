#pragma once

#include <string>

#include "base/result.h"
#include "reproduce/environment.h"
#include "reproduce/reproduction.h"
#include "reproduce/terascope/text.h"

namespace ergon::reproduce {

struct TeraScopeOptions {
  std::string folder;  // of the study's files; empty: the default
  FleetText fleet_text;
  bool require_data = true;  // false: without the files, no claim is checked
};

// P. Pradeep's study, recomputed from its files. Errors: not_found if files are missing and required; files
// that cannot be read; interrupted.
Result<Reproduction> reproduce_terascope(const TeraScopeOptions& options, const Environment& environment);

}  // namespace ergon::reproduce
