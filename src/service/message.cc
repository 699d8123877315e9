#include "service/message.h"

#include <nlohmann/json.hpp>

namespace ergon::service {

std::string_view Request::header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return {};
}

Response error_response(int status, std::string_view kind, std::string_view message) {
  const nlohmann::ordered_json body = {{"error", {{"kind", kind}, {"message", message}}}};
  // Messages quote the request, which may be invalid UTF-8.
  return json_response(body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
                       status);
}

Response error_response(const Error& error) {
  const ErrorMapping& seen = mapping_of(error.kind);
  return error_response(seen.http_status, seen.name, error.message);
}

Response json_response(std::string text, int status) {
  Response response;
  response.status = status;
  response.body = std::move(text);
  return response;
}

Response shared_json_response(std::shared_ptr<const std::string> text) {
  Response response;
  response.shared_body = *text;
  response.owner = std::move(text);
  return response;
}

}  // namespace ergon::service
