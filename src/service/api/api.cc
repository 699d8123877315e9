#include "service/api/api.h"

#include <algorithm>

#include "service/api/file_response.h"
#include "service/api/openapi.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

bool is_below(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

const Endpoint* endpoint_of(std::string_view path) {
  if (!path.starts_with(kApi)) return nullptr;
  path.remove_prefix(kApi.size());
  const auto& all = endpoints();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Endpoint& each) { return each.path == path; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

Api::Api(RunCommand run, Jobs& jobs, std::filesystem::path results, Text gauges)
    : documents_(std::move(run)),
      jobs_(jobs),
      results_(std::move(results), jobs),
      gauges_(std::move(gauges)) {}

Response Api::answer(const Request& request) {
  const std::string_view path = std::string_view(request.path).substr(kApi.size());
  if (is_below(path, "/jobs")) return jobs_.answer(request, path.substr(std::string_view("/jobs").size()));
  if (request.method != "GET" && request.method != "HEAD") {
    Response refused = error_response(405, "invalid_input", "method not allowed; use GET");
    refused.headers.emplace_back("Allow", "GET");
    return refused;
  }
  if (is_below(path, "/results")) return results(path.substr(std::string_view("/results").size()));
  if (path == "/gauges") return json_response(gauges_());
  if (path == "/openapi.json") return json_response(openapi().dump(1) + "\n");
  if (const Endpoint* endpoint = endpoint_of(request.path)) return documents_.answer(*endpoint, request);
  return error_response(404, "not_found", "unknown path; /api/v1/openapi.json lists all paths");
}

std::optional<Response> Api::cached(const Request& request) {
  const Endpoint* endpoint = endpoint_of(request.path);
  const bool reading = request.method == "GET" || request.method == "HEAD";
  return endpoint != nullptr && reading ? documents_.cached(*endpoint, request) : std::nullopt;
}

bool Api::is_costly(const Request& request) {
  const Endpoint* endpoint = endpoint_of(request.path);
  // The first list after a start reads all documents.
  return endpoint != nullptr ? endpoint->costly : request.path == "/api/v1/results";
}

Response Api::results(std::string_view rest) const {
  if (rest.size() > 1) {
    const auto file = results_.file(std::string(rest.substr(1)));
    return file ? file_response(*file) : error_response(file.error());
  }
  Json all = Json::array();
  for (const StoredResult& each : results_.list()) {
    all.push_back({{"id", each.id},
                   {"title", each.title},
                   {"schema", each.schema},
                   {"created", each.created},
                   {"simulated", each.simulated},
                   {"bytes", each.bytes}});
  }
  return json_response(Json{{"results", std::move(all)}}.dump() + "\n");
}

}  // namespace ergon::service
