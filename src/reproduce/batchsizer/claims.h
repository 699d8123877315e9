#pragma once

#include <vector>

#include "reproduce/batchsizer/study.h"
#include "reproduce/claim.h"

namespace ergon::reproduce {

// Claims of BatchSizer (Nabavinejad, Reda and Ebrahimi, ASPDAC 2021), then claims about our own controllers
// on the same jobs.
std::vector<Claim> batchsizer_claims(const BatchSizerStudy& study);

}  // namespace ergon::reproduce
