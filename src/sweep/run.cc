#include "sweep/run.h"

namespace ergon::sweep {

std::string_view name_of(Scenario scenario) {
  switch (scenario) {
    case Scenario::steady:
      return "steady";
    case Scenario::execution:
      return "execution";
  }
  return "?";
}

}  // namespace ergon::sweep
