#pragma once

#include <vector>

#include "reproduce/arada/study.h"
#include "reproduce/claim.h"

namespace ergon::reproduce {

// The frequency row of the paper's Table 1 in MHz, as printed.
const std::vector<double>& printed_table_one_clocks();

// Claims of ARADA (Azhar, Zouzoula and Trancoso, Computing Frontiers 2023), compared with our results.
std::vector<Claim> arada_claims(const AradaStudy& study);

}  // namespace ergon::reproduce
