#include "fleet/prometheus/range_query.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace ergon::fleet {
namespace {

using Json = nlohmann::json;

constexpr double kLatestSecond = 9e9;  // the year 2255, near the end of what a Timestamp holds
constexpr std::size_t kMaxMessage = 300;
// JSON values of a response, of which a sample has three. A value takes up to 90 bytes of memory, and as few
// as three of the text.
constexpr std::ptrdiff_t kMaxValues = 6'000'000;

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

// Milliseconds as seconds, exactly: "1700000000.25", "15".
std::string seconds_text(std::int64_t ms) {
  std::string text = fmt::format("{}.{:03}", ms / 1000, ms % 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

const Json* json_member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

// At least the number of values: each is the first of the text or of a list, or follows a comma or a name.
std::ptrdiff_t most_values(std::string_view text) {
  return 1 + std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == ',' || c == ':'; });
}

std::string json_text(const Json* json) {
  return json != nullptr && json->is_string() ? printable(json->get_ref<const std::string&>(), kMaxMessage)
                                              : std::string();
}

Error malformed_response(std::string_view what) {
  return fail(Errc::invalid_input, "invalid response to a Prometheus range query: {}", what);
}

Error server_error(const Json& response) {
  const std::string type = json_text(json_member(response, "errorType")),
                    error = json_text(json_member(response, "error"));
  return fail(type == "bad_data" ? Errc::invalid_input : Errc::io, "Prometheus error: {}{}{}", type,
              type.empty() ? "" : ": ", error.empty() ? "no reason given" : error);
}

// [1700000000.25, "71.5"]
Result<SeriesValue> read_pair(const Json& pair) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_string())
    return malformed_response("a value is not a pair of a time and a string");
  const double seconds = pair[0].get<double>();
  if (!(seconds >= 0 && seconds <= kLatestSecond))
    return malformed_response("a time is outside 1970 to 2255");
  const auto value = parse_double(pair[1].get_ref<const std::string&>());
  return SeriesValue{std::llround(seconds * 1e3), value && std::isfinite(*value) ? value : std::nullopt};
}

Result<LabeledSeries> read_series(const Json& json) {
  LabeledSeries series;
  const Json *labels = json_member(json, "metric"), *values = json_member(json, "values");
  if (labels == nullptr || !labels->is_object()) return malformed_response("a series has no labels");
  for (const auto& [name, value] : labels->items()) {
    if (!value.is_string()) return malformed_response("a label is not a string");
    series.labels.emplace(name, value.get_ref<const std::string&>());
  }
  if (values == nullptr) return series;  // a native histogram
  if (!values->is_array()) return malformed_response("the values of a series are not a list");
  series.values.reserve(values->size());
  for (const Json& pair : *values) {
    auto value = read_pair(pair);
    if (!value) return value.error();
    series.values.push_back(*value);
  }
  return series;
}

}  // namespace

std::string range_query_path(std::string_view expression, const StepRange& range) {
  return fmt::format("/api/v1/query_range?query={}&start={}&end={}&step={}", percent_encoded(expression),
                     seconds_text(range.first_ms), seconds_text(range.last_ms), seconds_text(range.step_ms));
}

Result<Matrix> parse_matrix(std::string_view text) {
  if (most_values(text) > kMaxValues)
    return malformed_response("more than 2,000,000 samples; select fewer series or a larger step");
  const auto parsed = parse_json<Json>(text);
  if (!parsed)
    return malformed_response(fmt::format("{} that are {}; truncated, or not a Prometheus server",
                                          counted(text.size(), "byte"), parsed.error().message));
  const Json& response = *parsed;
  const std::string status = json_text(json_member(response, "status"));
  if (status == "error") return server_error(response);
  if (status != "success") return malformed_response("no status");
  const Json* data = json_member(response, "data");
  const Json* result = data == nullptr ? nullptr : json_member(*data, "result");
  if (result == nullptr || json_text(json_member(*data, "resultType")) != "matrix" || !result->is_array())
    return malformed_response("no matrix");
  Matrix matrix;
  for (const Json& each : *result) {
    auto series = read_series(each);
    if (!series) return series.error();
    matrix.series.push_back(std::move(*series));
  }
  if (const Json* warnings = json_member(response, "warnings"); warnings != nullptr && warnings->is_array()) {
    for (const Json& each : *warnings) matrix.warnings.push_back(json_text(&each));
  }
  return matrix;
}

}  // namespace ergon::fleet
