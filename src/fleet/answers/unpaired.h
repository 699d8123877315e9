#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// Why rows found no partner. A START on one host and a later STOP of the same task and event on another are
// an event that crossed hosts: it belongs to no GPU.
Unpaired unpaired_of(const Tally& tally);

}  // namespace ergon::fleet
