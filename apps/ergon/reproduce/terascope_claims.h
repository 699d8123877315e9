#pragma once

#include <vector>

#include "reproduce/claim.h"
#include "reproduce/terascope_study.h"

namespace ergon::app {

// What the TeraScope study (P. Pradeep, 2023) says of 1,024 GPUs that rendered a city, and what its files
// say: first its numbers, then what it concluded from them.
std::vector<Claim> terascope_claims(const TeraScopeStudy& study);

}  // namespace ergon::app
