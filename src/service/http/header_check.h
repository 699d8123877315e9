#pragma once

#include <optional>
#include <string_view>

#include "service/message.h"

namespace ergon::service {

// Why two programs could understand these headers (names in lower case) differently; empty if they cannot. A
// proxy in front of the server might then see another length, another host or another token than the server
// does (request smuggling): Content-Length that is not one number, any Transfer-Encoding but "chunked", both
// of them, and repeated headers that decide who may ask.
std::optional<std::string_view> ambiguity_of(const Fields& headers, bool http_1_1);

}  // namespace ergon::service
