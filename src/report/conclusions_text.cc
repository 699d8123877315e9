#include "report/conclusions_text.h"

#include <string_view>

#include <fmt/format.h>

#include "report/sweep_conclusions.h"
#include "report/wrapped_text.h"

namespace ergon::report {
namespace {

std::string_view question(int number) {
  switch (number) {
    case 1:
      return "How repeatable are measurements?";
    case 2:
      return "How does time depend on the clock?";
    case 3:
      return "How does power depend on the clock?";
    default:
      return "Which has more influence, the network or the clock?";
  }
}

}  // namespace

std::string conclusions_text(const sweep::SweepEvaluation& evaluation) {
  constexpr std::size_t kIndent = 3;
  std::string text;
  for (const Conclusion& conclusion : conclusions_of(evaluation)) {
    text += fmt::format("\n{}. {}\n{:{}}{}\n", conclusion.question, question(conclusion.question), "",
                        kIndent, wrapped(conclusion.text, kIndent, kIndent));
  }
  return text;
}

}  // namespace ergon::report
