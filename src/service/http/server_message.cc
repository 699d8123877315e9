#include "service/http/server_message.h"

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace ergon::service {
namespace {

constexpr std::size_t kMaxMessageLength = 300;
constexpr std::size_t kMaxBody = std::size_t{64} << 10;  // that is parsed; values take 25 times their text

std::string text_member(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string_view first_line(std::string_view text) {
  text = trim(text);
  return trim(text.substr(0, text.find_first_of("\r\n")));
}

Errc kind_of_status(int status) {
  switch (status) {
    case 400:
    case 422:
      return Errc::invalid_input;
    case 401:
    case 403:
    case 407:
      return Errc::permission;
    case 404:
      return Errc::not_found;
    case 501:
      return Errc::unsupported;
    default:
      return Errc::io;
  }
}

std::string_view name_of_status(int status) {
  switch (status) {
    case 400:
      return "bad request";
    case 401:
      return "unauthorized: token missing or wrong";
    case 403:
      return "forbidden";
    case 404:
      return "not found";
    case 422:
      return "unprocessable";
    case 429:
      return "too many requests";
    case 500:
      return "internal error";
    case 502:
      return "bad gateway";
    case 503:
      return "unavailable";
    case 504:
      return "gateway timeout";
    default:
      return status >= 300 && status < 400 ? "redirected" : "rejected";
  }
}

}  // namespace

std::string server_message(std::string_view body) {
  body = body.substr(0, kMaxBody);
  if (const auto json = parse_json<nlohmann::json>(body); json && json->is_object()) {
    const std::string type = text_member(*json, "errorType"), error = text_member(*json, "error");
    const std::string both = type.empty() || error.empty() ? type + error : type + ": " + error;
    return printable(first_line(both), kMaxMessageLength);
  }
  const std::string_view line = first_line(body);
  return line.starts_with('<') ? std::string() : printable(line, kMaxMessageLength);  // HTML
}

Error refusal(int status, std::string_view body) {
  const std::string message = server_message(body);
  return fail(kind_of_status(status), "{} ({}){}{}", status, name_of_status(status),
              message.empty() ? "" : ": ", message);
}

}  // namespace ergon::service
