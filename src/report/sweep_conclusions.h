#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sweep/evaluation/evaluation.h"

namespace ergon::report {

// The conclusion on one of the paper's four questions, with the numbers it is based on.
struct Conclusion {
  using Number = std::variant<std::monostate, double, std::int64_t, std::string>;  // monostate: unknown

  int question = 0;  // 1 to 4
  std::string text;
  std::vector<std::pair<std::string, Number>> numbers;

  friend bool operator==(const Conclusion&, const Conclusion&) = default;
};

// Questions: 1: How repeatable are measurements? 2: How does time depend on the clock? 3: How does power
// depend on the clock? 4: Which has more influence, the network or the clock? Empty without networks.
std::vector<Conclusion> conclusions_of(const sweep::SweepEvaluation& evaluation);

}  // namespace ergon::report
