#include "systolic/replay/semantics.h"

#include <array>
#include <cstddef>

namespace ergon::systolic {

std::string_view name_of(Semantics semantics) {
  constexpr std::array<std::string_view, 4> kNames = {"v3", "v2", "v2-2021", "ergon"};
  return kNames[static_cast<std::size_t>(semantics)];
}

}  // namespace ergon::systolic
