#include "base/result.h"

#include <fmt/format.h>

#include "base/errc.h"

namespace ergon {

// Defined here because libergon.so is linked from static libraries: it always contains this object file, but
// that of errc.cc only if something calls it.
std::string_view name_of(Errc kind) { return mapping_of(kind).name; }

Error Error::in(std::string_view context) const { return {kind, fmt::format("{}: {}", context, message)}; }

namespace detail {

void no_value() { contract_broken("the value of a failed Result was read", __FILE__, __LINE__); }
void no_error() { contract_broken("the error of a successful Result was read", __FILE__, __LINE__); }

}  // namespace detail
}  // namespace ergon
