#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "service/metrics/exposition.h"
#include "service/metrics/exposition_reader.h"

namespace ergon::service {
namespace {

constexpr Metric kThings[] = {{"test_a", MetricType::gauge, "a"},
                              {"test_b_total", MetricType::counter, "b \"quoted\" \\ and\nbroken"},
                              {"test_c_joules", MetricType::gauge, ""}};

// Characters that need escaping, have several bytes, or look like syntax.
rc::Gen<std::string> awkward_text() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "\\", "\"", "\n", "{", "}", ",", "=", " ", "#", "a", "n", "ü", "€", "𝄞", "\r", "\t", "\x7f")),
      [](const std::vector<std::string>& letters) {
        std::string text;
        for (const std::string& letter : letters) text += letter;
        return text;
      });
}

// Values are read back exactly.
RC_GTEST_PROP(ExpositionProperty, SurvivesARoundTrip, ()) {
  struct Given {
    std::size_t metric = 0;
    std::string a, b;
    double value = 0;
  };
  std::vector<Given> given;
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < count; ++i) {
    given.push_back({*rc::gen::inRange<std::size_t>(0, 3), *awkward_text(), *awkward_text(),
                     *rc::gen::arbitrary<double>() * std::pow(10, *rc::gen::inRange(-300, 300))});
  }
  Exposition page;
  std::map<std::string, std::map<std::map<std::string, std::string>, double>> expected;
  for (const Given& each : given) {
    page.add(kThings[each.metric], {{"a", each.a}, {"b", each.b}}, each.value);
    if (!std::isfinite(each.value) || (each.value < 0 && each.metric > 0)) continue;
    expected[std::string(kThings[each.metric].name)].try_emplace({{"a", each.a}, {"b", each.b}}, each.value);
  }
  const auto read = test::read_exposition(page.text());
  RC_ASSERT(static_cast<bool>(read));
  RC_ASSERT(read->size() == expected.size());
  for (const test::ReadFamily& family : *read) {
    const auto& samples = expected.at(family.name);
    RC_ASSERT(family.samples.size() == samples.size());
    for (const test::ReadSample& sample : family.samples)
      RC_ASSERT(samples.at(sample.labels) == sample.value);
    for (const Metric& metric : kThings) {
      if (metric.name == family.name) RC_ASSERT(family.help == metric.help);
    }
  }
}

// A product name with any bytes gives a valid page, and valid UTF-8 is kept.
RC_GTEST_PROP(ExpositionProperty, AcceptsAnyBytes, (const std::string& bytes)) {
  Exposition page;
  page.add(kThings[0], {{"name", bytes}}, 1.0);
  const auto read = test::read_exposition(page.text());
  RC_ASSERT(static_cast<bool>(read));
  const std::string shown = read->at(0).samples.at(0).labels.at("name");
  Exposition again;
  again.add(kThings[0], {{"name", shown}}, 1.0);
  RC_ASSERT(again.text() == page.text());
}

}  // namespace
}  // namespace ergon::service
