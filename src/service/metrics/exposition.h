#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "service/metrics/metric.h"

namespace ergon::service {

// Content-Type of an exposition.
inline constexpr std::string_view kExpositionType = "text/plain; version=0.0.4; charset=utf-8";

struct Label {
  std::string_view name;
  std::string value;  // any bytes; invalid UTF-8 is replaced by U+FFFD
};
using Labels = std::vector<Label>;

// Prometheus text format, version 0.0.4. Families appear once, in the order of their first sample, with HELP
// and TYPE. Families without samples are omitted, and so are absent values. Values that cannot be right are
// omitted and counted: those that are not finite, negative counters and quantities (watts, joules, hertz,
// bytes, seconds), and ratios outside of 0 to 1.
class Exposition {
 public:
  // Of two samples with the same labels the first is used, because Prometheus rejects a page with duplicate
  // series. Contract: names are valid; names of counters, and only those, end in _total; label names differ
  // within a sample; type, help and label order of a metric do not change.
  void add(const Metric& metric, const Labels& labels, const std::optional<double>& value);

  template <Dimension D>
  void add(const Metric& metric, const Labels& labels, const std::optional<Quantity<D>>& value) {
    add(metric, labels, value ? std::optional(value->si()) : std::nullopt);
  }
  void add(const Metric& metric, const Labels& labels, const std::optional<Celsius>& value) {
    add(metric, labels, value ? std::optional(value->degrees()) : std::nullopt);
  }

  int omitted_values() const { return omitted_; }
  std::string text() const;

 private:
  struct Family {
    Metric metric;
    std::set<std::string> series;
    std::string lines;
  };
  Family& family_of(const Metric& metric);

  std::vector<Family> families_;
  int omitted_ = 0;
};

}  // namespace ergon::service
