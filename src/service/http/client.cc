#include "service/http/client.h"

#include "base/units_text.h"
#include "service/http/server_message.h"
#include "table/inflate/inflate.h"

namespace ergon::service {
namespace {

Error too_large(const HttpOptions& options) {
  return fail(Errc::io, "the response is larger than {}",
              to_text(Bytes{static_cast<double>(options.max_bytes)}));
}

Result<std::string> inflated(std::string_view compressed, const HttpOptions& options) {
  std::string body;
  const auto append = [&](std::string_view text) -> Result<> {
    if (text.size() > options.max_bytes - body.size()) return too_large(options);
    body += text;
    return {};
  };
  if (auto done = table::inflate(table::Compression::gzip, compressed, append); !done) return done.error();
  return body;
}

Result<std::string> body_of(HttpClient& client, const ClientResponse& response, const HttpOptions& options) {
  std::string body;
  while (true) {
    const auto piece = client.read_body();
    if (!piece) return piece.error();
    if (piece->empty()) break;
    body += *piece;
  }
  if (response.header("content-encoding") == "gzip" && !body.empty()) return inflated(body, options);
  return body;
}

Result<std::string> exchange(const Url& url, std::string_view path_and_query, const HttpOptions& options,
                             const std::stop_token& stop) {
  auto client = HttpClient::connect(url, options, stop);
  if (!client) return client.error();
  ClientRequest request{
      .target = std::string(path_and_query),
      .headers = {{"Accept", "application/json"}, {"Accept-Encoding", "gzip"}, {"Connection", "close"}}};
  if (!options.token.empty()) request.headers.emplace_back("Authorization", "Bearer " + options.token);
  const auto response = client->send(request);
  if (!response) return response.error();
  auto body = body_of(*client, *response, options);
  if (!body) return body;
  if (response->status != 200) return refusal(response->status, *body);
  return body;
}

}  // namespace

Result<std::string> get(const Url& url, std::string_view path_and_query, const HttpOptions& options,
                        const std::stop_token& stop) {
  const std::string target = to_text(url) + std::string(path_and_query.substr(0, path_and_query.find('?')));
  auto body = exchange(url, path_and_query, options, stop);
  return body ? std::move(body) : body.error().in(target);
}

}  // namespace ergon::service
