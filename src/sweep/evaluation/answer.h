#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ergon::sweep {

struct Evaluation;

// A plain answer to one of the paper's four questions, with the numbers it rests on.
struct Answer {
  using Number = std::variant<std::monostate, double, std::int64_t, std::string>;  // first: not known

  int question = 0;  // 1 to 4
  std::string text;
  std::vector<std::pair<std::string, Number>> numbers;

  friend bool operator==(const Answer&, const Answer&) = default;
};

// 1: How repeatable are the measurements? 2: What does the clock do to time? 3: And to power? 4: Which counts
// more, the network or the clock?
std::vector<Answer> answers_of(const Evaluation& evaluation);

}  // namespace ergon::sweep
