#include "systolic/replay/semantics.h"

#include <array>
#include <string>
#include <utility>

#include "base/text.h"

namespace ergon::systolic {
namespace {

constexpr std::array<std::pair<Semantics, std::string_view>, 4> kSemanticsNames = {
    {{Semantics::v3, "v3"},
     {Semantics::v2, "v2"},
     {Semantics::v2_2021, "v2-2021"},
     {Semantics::ergon, "ergon"}}};

}  // namespace

std::string_view name_of(Semantics semantics) {
  return kSemanticsNames[static_cast<std::size_t>(semantics)].second;
}

std::vector<std::string> semantics_names() {
  std::vector<std::string> names;
  for (const auto& [semantics, name] : kSemanticsNames) names.emplace_back(name);
  return names;
}

Result<Semantics> semantics_of(std::string_view name) {
  for (const auto& [semantics, known] : kSemanticsNames) {
    if (name == known) return semantics;
  }
  return fail(Errc::invalid_input, "\"{}\" is no semantics; there are v3, v2, v2-2021 and ergon",
              printable(name));
}

}  // namespace ergon::systolic
