#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace ergon::test {

struct ReadSample {
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct ReadFamily {
  std::string name, help, type;
  std::vector<ReadSample> samples;
};

// Strict parser for Prometheus' text format: every family has HELP, TYPE and samples in this order and
// appears once; no series appears twice; all numbers are finite.
class ExpositionReader {
 public:
  explicit ExpositionReader(std::string_view text) : rest_(text) {}

  Result<std::vector<ReadFamily>> families() {
    std::vector<ReadFamily> all;
    std::set<std::string> names;
    while (!rest_.empty()) {
      ReadFamily family;
      if (!skip("# HELP ")) return odd("no HELP");
      family.name = name();
      if (!skip(" ")) return odd("no blank behind the name");
      const auto help = text_until('\n', false);
      if (!help) return help.error();
      family.help = *help;
      if (!skip("# TYPE " + family.name + " ")) return odd("no TYPE behind HELP");
      const auto type = text_until('\n', false);
      if (!type) return type.error();
      family.type = *type;
      if (family.type != "gauge" && family.type != "counter") return odd("type " + family.type);
      if (!names.insert(family.name).second) return odd(family.name + " appears twice");
      std::set<std::map<std::string, std::string>> series;
      while (!rest_.empty() && !rest_.starts_with('#')) {
        const auto sample = read_sample(family.name);
        if (!sample) return sample.error();
        if (!series.insert(sample->labels).second) return odd("a series appears twice");
        family.samples.push_back(*sample);
      }
      if (family.samples.empty()) return odd(family.name + " has no samples");
      all.push_back(std::move(family));
    }
    return all;
  }

 private:
  Error odd(std::string_view what) const {
    return fail(Errc::invalid_input, "{} before \"{}\"", what, printable(rest_));
  }
  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string name() {
    const std::size_t length =
        rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:");
    std::string word(rest_.substr(0, length));
    rest_.remove_prefix(word.size());
    return word;
  }
  Result<std::string> text_until(char end, bool quotes) {
    std::string text;
    for (;;) {
      if (rest_.empty() || (rest_[0] == '\n' && end != '\n')) return odd("a text does not end");
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == end) return text;
      if (c != '\\') {
        text += c;
      } else if (skip("\\")) {
        text += '\\';
      } else if (skip("n")) {
        text += '\n';
      } else if (quotes && skip("\"")) {
        text += '"';
      } else {
        return odd("an unknown escape");
      }
    }
  }
  Result<ReadSample> read_sample(const std::string& family) {
    ReadSample sample;
    if (name() != family) return odd("a sample of another family");
    if (skip("{")) {
      do {
        const std::string label = name();
        if (label.empty() || !skip("=\"")) return odd("no label");
        const auto value = text_until('"', true);
        if (!value) return value.error();
        if (!sample.labels.emplace(label, *value).second) return odd("a label appears twice");
      } while (skip(","));
      if (!skip("}")) return odd("labels do not end");
    }
    if (!skip(" ")) return odd("no blank before the value");
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return odd("no line end");
    const auto value = parse_double(rest_.substr(0, end));
    if (!value) return odd("no number");
    sample.value = *value;
    rest_.remove_prefix(end + 1);
    return sample;
  }

  std::string_view rest_;
};

inline Result<std::vector<ReadFamily>> read_exposition(std::string_view text) {
  return ExpositionReader(text).families();
}

// The value of the only series of a metric with these labels; empty if there is none or several.
inline std::optional<double> value_in(const std::vector<ReadFamily>& families, std::string_view name,
                                      const std::map<std::string, std::string>& labels = {}) {
  std::optional<double> found;
  for (const ReadFamily& family : families) {
    for (const ReadSample& sample : family.samples) {
      bool fits = family.name == name;
      for (const auto& [label, value] : labels) {
        const auto had = sample.labels.find(label);
        fits = fits && had != sample.labels.end() && had->second == value;
      }
      if (!fits) continue;
      if (found) return std::nullopt;
      found = sample.value;
    }
  }
  return found;
}

}  // namespace ergon::test
