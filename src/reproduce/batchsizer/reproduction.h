#pragma once

#include "base/result.h"
#include "reproduce/environment.h"
#include "reproduce/reproduction.h"

namespace ergon::reproduce {

// BatchSizer on the twin of a P40. Errors: those of study_batchsizer().
Result<Reproduction> reproduce_batchsizer(const Environment& environment);

}  // namespace ergon::reproduce
