#include "base/version.h"

#include <ergon/version.h>

namespace ergon {

std::string_view version() { return build_facts().version; }

}  // namespace ergon
