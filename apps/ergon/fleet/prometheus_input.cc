#include "fleet/prometheus_input.h"

#include <cstdlib>

#include "base/text.h"
#include "fleet/prometheus/prometheus_source.h"
#include "service/http/client.h"
#include "service/token.h"

namespace ergon::app {
namespace {

constexpr const char* kTokenVariable = "ERGON_PROMETHEUS_TOKEN";

// Trailing newlines are removed, because tokens often come from files.
Result<std::string> token_from_environment() {
  const char* set = std::getenv(kTokenVariable);
  const std::string_view token = set == nullptr ? "" : trim(set);
  if (!service::fits_in_header(token))
    return fail(Errc::invalid_input, "{} contains spaces or non-ASCII characters", kTokenVariable);
  return std::string(token);
}

}  // namespace

Result<SourceMaker> prometheus_input(const std::string& url, const fleet::QueryTimes& times, Timestamp now,
                                     const std::stop_token& stop) {
  const auto server = service::parse_url(url);
  if (!server) return server.error().in("--prometheus");
  const auto range = fleet::range_of(times, now);
  if (!range) return range.error();
  const auto token = token_from_environment();
  if (!token) return token.error();

  service::HttpOptions access;
  access.token = *token;
  const fleet::Fetch fetch = [server = *server, access, stop](const std::string& path_and_query) {
    return service::get(server, path_and_query, access, stop);
  };
  return SourceMaker([fetch, range = *range](fleet::NameTables& names) {
    return std::make_unique<fleet::PrometheusSource>(fetch, range, names);
  });
}

}  // namespace ergon::app
