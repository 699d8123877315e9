#pragma once

#include <vector>

#include "reproduce/claim.h"
#include "reproduce/terascope/study.h"

namespace ergon::reproduce {

// Claims of the TeraScope study (P. Pradeep, 2023) on 1,024 GPUs that rendered a city, compared with its
// files: first its numbers, then its conclusions.
std::vector<Claim> terascope_claims(const TeraScopeStudy& study);

}  // namespace ergon::reproduce
