#include "service/http/header_check.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ergon::service {
namespace {

constexpr std::array<std::string_view, 6> kSingle = {"host",           "origin",         "authorization",
                                                     "content-length", "sec-fetch-site", "transfer-encoding"};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::string_view> ambiguity_of(const Fields& headers, bool http_1_1) {
  std::array<const std::string*, kSingle.size()> values{};
  for (const auto& [name, value] : headers) {
    const auto found = std::find(kSingle.begin(), kSingle.end(), name);
    if (found == kSingle.end()) continue;
    const std::string*& single = values[static_cast<std::size_t>(found - kSingle.begin())];
    if (single != nullptr) return "a header that must be unique is repeated";
    single = &value;
  }
  const std::string* const length = values[3];
  const std::string* const encoding = values[5];
  if (length != nullptr && !is_number(*length)) return "Content-Length is not a number";
  if (encoding == nullptr) return std::nullopt;
  if (length != nullptr) return "Content-Length and Transfer-Encoding exclude each other";
  if (!http_1_1 || lower(*encoding) != "chunked") return "Transfer-Encoding is not supported";
  return std::nullopt;
}

}  // namespace ergon::service
