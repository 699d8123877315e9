#include "base/result.h"

#include <fmt/format.h>

#include "base/errc.h"

namespace ergon {

// Here and not beside the table of names, so that libergon.so links it.
std::string_view name_of(Errc kind) { return mapping_of(kind).name; }

Error Error::in(std::string_view context) const { return {kind, fmt::format("{}: {}", context, message)}; }

namespace detail {

void no_value() { contract_broken("the value of a failed Result was read", __FILE__, __LINE__); }
void no_error() { contract_broken("the error of a successful Result was read", __FILE__, __LINE__); }

}  // namespace detail
}  // namespace ergon
