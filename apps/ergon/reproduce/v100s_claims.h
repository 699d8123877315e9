#pragma once

#include <vector>

#include "reproduce/claim.h"
#include "reproduce/v100s_study.h"

namespace ergon::app {

// What "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling" says, and what comes out on
// the twin.
std::vector<Claim> v100s_claims(const V100sStudy& study);

}  // namespace ergon::app
