#include "service/api/api.h"

#include "service/api/file_response.h"
#include "service/api/openapi.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

bool is_below(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
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
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.path == path) return documents_.answer(endpoint, request);
  }
  return error_response(404, "not_found", "unknown path; /api/v1/openapi.json lists all paths");
}

bool Api::is_costly(const Request& request) {
  if (!request.path.starts_with(kApi)) return false;
  const std::string_view path = std::string_view(request.path).substr(kApi.size());
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.path == path) return endpoint.costly && !documents_.is_cached(endpoint, request);
  }
  return false;
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
