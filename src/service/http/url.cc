#include "service/http/url.h"

#include <algorithm>

#include "base/text.h"
#include "service/message.h"

namespace ergon::service {
namespace {

constexpr int kPlainPort = 80;
constexpr int kSecurePort = 443;
constexpr std::string_view kExample = "for example http://localhost:9090";

bool is_url_character(char c) { return c > ' ' && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '\\'; }

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_';
}

bool is_ipv6_character(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

// "host", "host:port", "[::1]:port".
Result<> read_authority(std::string_view authority, Url& url) {
  std::string_view host = authority, port;
  bool has_port = false, good_host = false;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    host = authority.substr(1, end == std::string_view::npos ? end : end - 1);
    const std::string_view after = end == std::string_view::npos ? "" : authority.substr(end + 1);
    has_port = after.starts_with(':');
    if (has_port) port = after.substr(1);
    good_host = end != std::string_view::npos && (after.empty() || has_port) && !host.empty() &&
                std::all_of(host.begin(), host.end(), is_ipv6_character);
  } else {
    const std::size_t colon = authority.find(':');
    has_port = colon != std::string_view::npos;
    host = authority.substr(0, colon);
    if (has_port) port = authority.substr(colon + 1);
    good_host = !host.empty() && std::all_of(host.begin(), host.end(), is_host_character);
  }
  if (!good_host)
    return fail(Errc::invalid_input, "\"{}\" is not a valid host; {}", printable(authority), kExample);
  url.host = host;
  if (!has_port) return {};
  const auto number = port.starts_with('+') || port.starts_with('-') ? std::nullopt : parse_int64(port);
  if (!number || *number < 1 || *number > kMaxPort)
    return fail(Errc::invalid_input, "\"{}\" is not a valid port; expected 1 to {}", printable(port),
                kMaxPort);
  url.port = static_cast<int>(*number);
  return {};
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
  Url url;
  std::string_view rest = text;
  if (const std::size_t mark = text.find("://"); mark != std::string_view::npos) {
    const std::string scheme = lower(text.substr(0, mark));
    if (scheme != "http" && scheme != "https")
      return fail(Errc::invalid_input, "\"{}\" is not a supported scheme; expected http or https",
                  printable(scheme));
    url.secure = scheme == "https";
    rest = text.substr(mark + 3);
  }
  url.port = url.secure ? kSecurePort : kPlainPort;
  const std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view authority = rest.substr(0, end), path = rest.substr(end);
  if (authority.find('@') != std::string_view::npos)
    return fail(Errc::invalid_input, "user names and passwords are not allowed in a URL; use a token");
  if (auto read = read_authority(authority, url); !read) return read.error();
  if (path.find_first_of("?#") != std::string_view::npos)
    return fail(Errc::invalid_input, "\"{}\" has a query or a fragment; give the server's URL only, {}",
                printable(text), kExample);
  if (!std::all_of(path.begin(), path.end(), is_url_character))
    return fail(Errc::invalid_input, "\"{}\" contains characters that are not allowed in a URL",
                printable(text));
  url.prefix = path.substr(0, path.find_last_not_of('/') + 1);
  return url;
}

std::string to_text(const Url& url) {
  std::string text = url.secure ? "https://" : "http://";
  text += url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
  if (url.port != (url.secure ? kSecurePort : kPlainPort)) text += ":" + std::to_string(url.port);
  return text + url.prefix;
}

}  // namespace ergon::service
