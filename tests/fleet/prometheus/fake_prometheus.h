#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/prometheus/gpu_labels.h"

namespace ergon::fleet::test {

// A scraped series: its value at a time, or absent.
struct FakeSeries {
  Labels labels;
  std::function<std::optional<std::string>(std::int64_t at_ms)> shown;
};

// Responds to range queries like Prometheus, and records the requests.
class FakePrometheus {
 public:
  struct Question {
    std::map<std::string, std::string> fields;  // decoded
    std::int64_t first_ms = 0, last_ms = 0, step_ms = 0;
  };

  void add(const std::string& name, Labels labels,
           std::function<std::optional<std::string>(std::int64_t)> shown);
  // A constant series.
  void add(const std::string& name, Labels labels, const std::string& value) {
    add(name, std::move(labels), [value](std::int64_t) { return value; });
  }

  Result<std::string> summary(const std::string& path_and_query);

  std::vector<Question> questions;
  std::string warning;

 private:
  std::vector<FakeSeries> series_;
};

// A {"status":"success",...} response with series in JSON.
std::string matrix_text(std::string_view series);

// Decodes a URL.
std::string percent_decoded(std::string_view text);

inline Labels with_name(std::string name, Labels labels) {
  labels["__name__"] = std::move(name);
  return labels;
}

}  // namespace ergon::fleet::test
