#pragma once

#include <vector>

#include "base/result.h"
#include "reproduce/claim.h"
#include "reproduce/v100s/study.h"

namespace ergon::reproduce {

// Claims of "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling", compared with the
// twin. Errors: a network without a valid run.
Result<std::vector<Claim>> v100s_claims(const V100sStudy& study);

}  // namespace ergon::reproduce
