#include "service/metrics/exposition.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "base/text.h"

namespace ergon::service {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool letter_of_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit_of_name(char c) { return c >= '0' && c <= '9'; }

bool valid_label_name(std::string_view name) {
  return !name.empty() && !digit_of_name(name.front()) && !name.starts_with("__") &&
         std::all_of(name.begin(), name.end(), [](char c) { return letter_of_name(c) || digit_of_name(c); });
}

// Colons are valid but reserved for recording rules.
bool valid_metric(const Metric& metric) {
  return valid_label_name(metric.name) &&
         metric.name.ends_with("_total") == (metric.type == MetricType::counter);
}

// Temperatures may be negative; their unit is not in the list.
bool is_never_negative(const Metric& metric) {
  constexpr std::string_view kUnits[] = {"_watts", "_joules", "_hertz", "_bytes", "_seconds", "_values"};
  return metric.type == MetricType::counter ||
         std::ranges::any_of(kUnits, [&](std::string_view unit) { return metric.name.ends_with(unit); });
}

bool can_be_right(const Metric& metric, double value) {
  if (!std::isfinite(value)) return false;
  if (metric.name.ends_with("_ratio")) return value >= 0 && value <= 1;
  return value >= 0 || !is_never_negative(metric);
}

bool distinct_names(const Labels& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (labels[i].name == labels[j].name) return false;
    }
  }
  return true;
}

// Length in bytes of the UTF-8 character at the start of `text`; 0 if invalid. Follows table 3-7 of the
// Unicode standard, which excludes overlong forms, surrogates and code points above U+10FFFF.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  const unsigned min = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned max = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < min || byte(1) > max) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

// Escapes backslashes and line ends; in labels also quotes.
std::string escaped_text(std::string_view text, bool quotes) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (character == "\\") {
      out += "\\\\";
    } else if (character == "\n") {
      out += "\\n";
    } else if (character == "\"" && quotes) {
      out += "\\\"";
    } else {
      // Prometheus treats a zero byte as the end of the page.
      out += length == 0 || character.front() == '\0' ? kReplacement : character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

std::string series_of(const Metric& metric, const Labels& labels) {
  std::string series(metric.name);
  char before = '{';
  for (const Label& label : labels) {
    ERGON_EXPECTS(valid_label_name(label.name));
    series += before;
    series += label.name;
    series += "=\"" + escaped_text(label.value, true) + '"';
    before = ',';
  }
  if (!labels.empty()) series += '}';
  return series;
}

}  // namespace

Exposition::Family& Exposition::family_of(const Metric& metric) {
  const auto found = std::find_if(families_.begin(), families_.end(),
                                  [&](const Family& each) { return each.metric.name == metric.name; });
  if (found == families_.end()) return families_.emplace_back(Family{metric, {}, {}});
  ERGON_EXPECTS(found->metric.type == metric.type && found->metric.help == metric.help);
  return *found;
}

void Exposition::add(const Metric& metric, const Labels& labels, const std::optional<double>& value) {
  ERGON_EXPECTS(valid_metric(metric));
  ERGON_EXPECTS(distinct_names(labels));
  Family& family = family_of(metric);
  std::string series = series_of(metric, labels);
  if (!value) return;
  if (!can_be_right(metric, *value)) {
    ++omitted_;
    return;
  }
  const std::string line = series + ' ' + shortest_text(*value) + '\n';
  if (family.series.insert(std::move(series)).second) family.lines += line;
}

std::string Exposition::text() const {
  std::string page;
  for (const Family& family : families_) {
    if (family.lines.empty()) continue;
    const std::string name(family.metric.name);
    page += "# HELP " + name + ' ' + escaped_text(family.metric.help, false) + '\n';
    page += "# TYPE " + name + (family.metric.type == MetricType::counter ? " counter\n" : " gauge\n");
    page += family.lines;
  }
  return page;
}

}  // namespace ergon::service
