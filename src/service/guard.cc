#include "service/guard.h"

#include <algorithm>

#include "base/text.h"
#include "service/site.h"

namespace ergon::service {
namespace {

// The token of "Bearer TOKEN", or nothing. Names of schemes have no letter case (RFC 9110, 11.1).
std::string_view bearer_token(std::string_view authorization) {
  const auto space = authorization.find(' ');
  if (space == std::string_view::npos || lower(authorization.substr(0, space)) != "bearer") return {};
  return authorization.substr(space + 1);
}

// The host of "host:8080" or "[::1]:8080", without port and brackets.
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    return end == std::string_view::npos ? std::string_view() : authority.substr(1, end - 1);
  }
  return authority.substr(0, authority.find(':'));
}

bool reads_page(const Request& request) {
  if (request.method != "GET" && request.method != "HEAD") return false;
  return is_page_path(request.path);
}

// Whether a page of another site sent the request. Browsers send Sec-Fetch-Site with every request, but
// Origin not with every GET; other programs send neither.
bool is_cross_site(const Request& request) {
  const std::string_view site = request.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  const std::string_view origin = request.header("origin");
  if (origin.empty()) return false;
  const auto scheme = origin.find("://");
  return scheme == std::string_view::npos || origin.substr(scheme + 3) != request.header("host");
}

}  // namespace

bool equal_in_constant_time(std::string_view secret, std::string_view given) {
  unsigned difference = secret.size() == given.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char expected = secret.empty() ? '\0' : secret[i % secret.size()];
    difference |= static_cast<unsigned char>(expected) ^ static_cast<unsigned char>(given[i]);
  }
  return difference == 0;
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  if (!host.starts_with("127.")) return false;
  return std::all_of(host.begin(), host.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

std::optional<Response> Guard::refusal(const Request& request) const {
  const std::string_view host = request.header("host");
  if (loopback_ && !is_loopback(host_of(host)))
    return error_response(403, "permission", "this server accepts requests to localhost only");
  if (!token_.empty() && !reads_page(request)) {
    if (!equal_in_constant_time(token_, bearer_token(request.header("authorization")))) {
      Response refused =
          error_response(401, "permission", "a token is required: Authorization: Bearer TOKEN");
      refused.headers.emplace_back("WWW-Authenticate", "Bearer");
      return refused;
    }
  }
  // Links from other sites may open the page.
  if (!reads_page(request) && is_cross_site(request))
    return error_response(403, "permission", "cross-origin requests are not allowed");
  const bool body_expected = request.method == "POST" || request.method == "PUT";
  const std::string_view type = request.header("content-type");
  if (body_expected && type.substr(0, type.find(';')) != "application/json")
    return error_response(415, "invalid_input", "Content-Type is not application/json");
  return std::nullopt;
}

}  // namespace ergon::service
