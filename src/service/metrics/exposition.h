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

// What an answer with an exposition says of itself.
inline constexpr std::string_view kExpositionType = "text/plain; version=0.0.4; charset=utf-8";

struct Label {
  std::string_view name;
  std::string value;  // any bytes; what is no UTF-8, which the format does not carry, is replaced by U+FFFD
};
using Labels = std::vector<Label>;

// A page in Prometheus' text format, version 0.0.4: each family once, in the order in which families came,
// with HELP and TYPE before its samples; one without samples is left out.
//
// What has no value has no sample: nothing, and a number that is not finite, are left out.
class Exposition {
 public:
  // Of two samples with the same labels the first stands: twice the same series, and Prometheus would refuse
  // the whole page. Contract: names are valid, those of counters and of no others end in _total, label names
  // differ within a sample, a metric has always the same type and help, and its labels the same order.
  void add(const Metric& metric, const Labels& labels, const std::optional<double>& value);

  template <Dimension D>
  void add(const Metric& metric, const Labels& labels, const std::optional<Quantity<D>>& value) {
    add(metric, labels, value ? std::optional(value->si()) : std::nullopt);
  }
  void add(const Metric& metric, const Labels& labels, const std::optional<Celsius>& value) {
    add(metric, labels, value ? std::optional(value->degrees()) : std::nullopt);
  }

  std::string text() const;

 private:
  struct Family {
    Metric metric;
    std::set<std::string> series;
    std::string lines;
  };
  Family& family_of(const Metric& metric);

  std::vector<Family> families_;
};

}  // namespace ergon::service
