#include "fleet/prometheus_input.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/prometheus/prometheus_source.h"
#include "fleet/prometheus/time_argument.h"
#include "service/http/client.h"

namespace ergon::app {
namespace {

constexpr const char* kTokenVariable = "ERGON_PROMETHEUS_TOKEN";

// Trailing newlines are removed, because tokens often come from files.
Result<std::string> token_from_environment() {
  const char* set = std::getenv(kTokenVariable);
  if (set == nullptr) return std::string();
  const std::string_view token = trim(set);
  if (std::any_of(token.begin(), token.end(), [](char c) { return c <= ' ' || c >= 0x7f; }))
    return fail(Errc::invalid_input, "{} contains spaces or non-ASCII characters", kTokenVariable);
  return std::string(token);
}

}  // namespace

Result<SourceMaker> prometheus_input(const PrometheusSettings& settings, Timestamp now,
                                     const std::stop_token& stop) {
  const auto url = service::parse_url(settings.url);
  if (!url) return url.error().in("--prometheus");
  const auto from = fleet::parse_time_argument(settings.from, now, "--from");
  if (!from) return from.error();
  const auto to = fleet::parse_time_argument(settings.to, now, "--to");
  if (!to) return to.error();
  const auto step = parse_quantity<Seconds>(settings.step, "--step");
  if (!step) return step.error();
  const auto range = fleet::steps_between(*from, std::min(*to, now), *step);
  if (!range) return range.error().in("--prometheus");
  const auto token = token_from_environment();
  if (!token) return token.error();

  service::HttpOptions access;
  access.token = *token;
  const fleet::Fetch fetch = [url = *url, access, stop](const std::string& path_and_query) {
    return service::get(url, path_and_query, access, stop);
  };
  return SourceMaker([fetch, range = *range](fleet::NameTables& names) {
    return std::make_unique<fleet::PrometheusSource>(fetch, range, names);
  });
}

}  // namespace ergon::app
