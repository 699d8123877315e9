#pragma once

#include <vector>

#include "base/result.h"
#include "reproduce/claim.h"
#include "reproduce/v100s_study.h"

namespace ergon::app {

// What "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling" says, and what comes out on
// the twin. Errors: networks without a run that counts, as in a folder of runs that are not valid.
Result<std::vector<Claim>> v100s_claims(const V100sStudy& study);

}  // namespace ergon::app
