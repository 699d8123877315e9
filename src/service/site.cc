#include "service/site.h"

namespace ergon::service {
namespace {

Response asset(std::string_view text, std::string_view type) {
  Response response;
  response.type = type;
  response.shared_body = text;
  return response;
}

}  // namespace

Response site_answer(const Request& request, const SiteFiles& files) {
  if (request.method != "GET" && request.method != "HEAD")
    return error_response(405, "invalid_input", "method not allowed; use GET");
  if (files.script.empty()) {
    return error_response(501, "unsupported", "this build has no web pages; /api/v1 and /metrics work");
  }
  if (request.path == "/" || request.path == "/index.html")
    return asset(files.page, "text/html; charset=utf-8");
  if (request.path == "/app.js") return asset(files.script, "text/javascript; charset=utf-8");
  if (request.path == "/app.css") return asset(files.style, "text/css; charset=utf-8");
  return error_response(404, "not_found", "unknown path");
}

void add_security_headers(Response& response) {
  constexpr const char* kPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
      "'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.emplace_back("Cache-Control", "no-store");
}

}  // namespace ergon::service
