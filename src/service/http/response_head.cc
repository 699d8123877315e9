#include "service/http/response_head.h"

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <iterator>

#include <fmt/format.h>

namespace ergon::service {
namespace {

// Response splitting: a value that ends its line would add headers.
void append_field(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  std::replace_copy_if(
      value.begin(), value.end(), std::back_inserter(head),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  head += "\r\n";
}

}  // namespace

bool has_body(int status) { return status >= 200 && status != 204 && status != 304; }

std::string_view reason_phrase(int status) {
  const auto text = boost::beast::http::obsolete_reason(
      boost::beast::http::int_to_status(static_cast<unsigned>(std::max(status, 0))));
  return {text.data(), text.size()};
}

std::string response_head(const Response& response, BodyFraming framing, bool keep_alive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  for (const auto& [name, value] : response.headers) append_field(head, name, value);
  if (has_body(response.status)) {
    append_field(head, "Content-Type", response.type);
    if (framing == BodyFraming::length)
      append_field(head, "Content-Length", fmt::format("{}", response.content().size()));
    if (framing == BodyFraming::chunked) append_field(head, "Transfer-Encoding", "chunked");
  }
  append_field(head, "Connection", keep_alive ? "keep-alive" : "close");
  return head + "\r\n";
}

std::string chunk(std::string_view text) { return fmt::format("{:x}\r\n{}\r\n", text.size(), text); }

}  // namespace ergon::service
