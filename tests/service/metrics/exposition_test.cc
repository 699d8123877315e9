#include "service/metrics/exposition.h"

#include <limits>

#include <gtest/gtest.h>

#include "service/metrics/exposition_reader.h"

namespace ergon::service {
namespace {

using namespace literals;

constexpr Metric kHeat{"test_heat_celsius", MetricType::gauge, "How warm."};
constexpr Metric kCount{"test_things_total", MetricType::counter, "How many."};

TEST(Exposition, IsPrometheusText) {
  Exposition page;
  page.add(kHeat, {{"uuid", "GPU-1"}, {"host", "a"}}, std::optional(41.5_degC));
  page.add(kCount, {}, 3.0);
  EXPECT_EQ(page.text(),
            "# HELP test_heat_celsius How warm.\n"
            "# TYPE test_heat_celsius gauge\n"
            "test_heat_celsius{uuid=\"GPU-1\",host=\"a\"} 41.5\n"
            "# HELP test_things_total How many.\n"
            "# TYPE test_things_total counter\n"
            "test_things_total 3\n");
}

TEST(Exposition, GroupsSamplesByFamily) {
  Exposition page;
  page.add(kHeat, {{"uuid", "1"}}, 1.0);
  page.add(kCount, {{"uuid", "1"}}, 2.0);
  page.add(kHeat, {{"uuid", "2"}}, 3.0);
  const auto read = test::read_exposition(page.text());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].name, "test_heat_celsius");
  EXPECT_EQ((*read)[0].samples.size(), 2u);
  EXPECT_EQ((*read)[1].samples.size(), 1u);
}

TEST(Exposition, OmitsMissingValues) {
  Exposition page;
  page.add(kHeat, {{"uuid", "1"}}, std::optional<Celsius>());
  page.add(kHeat, {{"uuid", "2"}}, std::numeric_limits<double>::quiet_NaN());
  page.add(kHeat, {{"uuid", "3"}}, std::numeric_limits<double>::infinity());
  page.add(kHeat, {{"uuid", "4"}}, -std::numeric_limits<double>::infinity());
  page.add(kHeat, {{"uuid", "5"}}, std::optional<Watts>());
  EXPECT_EQ(page.text(), "");
  page.add(kHeat, {{"uuid", "6"}}, 0.0);
  EXPECT_EQ(test::value_in(*test::read_exposition(page.text()), "test_heat_celsius"), 0);
}

TEST(Exposition, OmitsAndCountsValuesThatCannotBeRight) {
  constexpr Metric kShare{"test_use_ratio", MetricType::gauge, "How much."};
  constexpr Metric kPower{"test_power_watts", MetricType::gauge, "How fast."};
  Exposition page;
  page.add(kPower, {}, -1.0);
  page.add(kPower, {}, std::numeric_limits<double>::quiet_NaN());
  page.add(kShare, {}, 1.01);
  page.add(kShare, {}, -0.01);
  page.add(kCount, {}, -1.0);
  EXPECT_EQ(page.text(), "");
  EXPECT_EQ(page.omitted_values(), 5);
  page.add(kHeat, {}, -20.0);
  page.add(kShare, {}, 1.0);
  page.add(kPower, {}, std::optional<double>());
  EXPECT_EQ(page.omitted_values(), 5);
  EXPECT_EQ(test::value_in(*test::read_exposition(page.text()), "test_heat_celsius"), -20);
}

TEST(Exposition, KeepsTheFirstOfDuplicateSeries) {
  Exposition page;
  page.add(kHeat, {{"uuid", "1"}}, std::optional<double>());
  page.add(kHeat, {{"uuid", "1"}}, 1.0);
  page.add(kHeat, {{"uuid", "1"}}, 2.0);
  EXPECT_EQ(test::value_in(*test::read_exposition(page.text()), "test_heat_celsius"), 1);
}

TEST(Exposition, EscapesLabels) {
  Exposition page;
  page.add(kHeat, {{"name", "a\\b \"c\"\nd,e=}{ü"}}, 1.0);
  EXPECT_NE(page.text().find("{name=\"a\\\\b \\\"c\\\"\\nd,e=}{ü\"} 1\n"), std::string::npos) << page.text();
}

TEST(Exposition, EscapesHelpExceptQuotes) {
  Exposition page;
  page.add({"test_x", MetricType::gauge, "a\\b \"c\"\nd"}, {}, 1.0);
  EXPECT_EQ(page.text(), "# HELP test_x a\\\\b \"c\"\\nd\n# TYPE test_x gauge\ntest_x 1\n");
}

TEST(Exposition, ReplacesInvalidUtf8) {
  const auto shown = [](std::string value) {
    Exposition page;
    page.add(kHeat, {{"name", std::move(value)}}, 1.0);
    return test::read_exposition(page.text()).value().at(0).samples.at(0).labels.at("name");
  };
  const std::string odd = "\xEF\xBF\xBD";
  EXPECT_EQ(shown("caf\xE9"), "caf" + odd);           // Latin-1
  EXPECT_EQ(shown("\xC0\xAF"), odd + odd);            // longer than needed
  EXPECT_EQ(shown("\xE0\x9F\xBF"), odd + odd + odd);  // likewise
  EXPECT_EQ(shown("\xF0\x8F\xBF\xBF"), odd + odd + odd + odd);
  EXPECT_EQ(shown("\xED\xA0\x80"), odd + odd + odd);            // half of a pair
  EXPECT_EQ(shown("\xF4\x90\x80\x80"), odd + odd + odd + odd);  // behind the last
  EXPECT_EQ(shown("\xF5\x80\x80\x80"), odd + odd + odd + odd);
  EXPECT_EQ(shown("a\xE2\x82"), "a" + odd + odd);  // cut off
  EXPECT_EQ(shown(std::string("a\0b", 3)), "a" + odd + "b");
  for (const char* fine : {"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "€ 𝄞 ü"}) {
    EXPECT_EQ(shown(fine), fine);
  }
}

TEST(ExpositionContract, NamesAreValid) {
  const auto add = [](std::string_view name, MetricType type, std::string_view label = "a") {
    Exposition().add({name, type, "x"}, {{label, "1"}}, 1.0);
  };
  add("test_a1", MetricType::gauge);
  EXPECT_DEATH(add("", MetricType::gauge), "valid_metric");
  EXPECT_DEATH(add("1a", MetricType::gauge), "valid_metric");
  EXPECT_DEATH(add("a-b", MetricType::gauge), "valid_metric");
  EXPECT_DEATH(add("a b", MetricType::gauge), "valid_metric");
  EXPECT_DEATH(add("a_total", MetricType::gauge), "valid_metric");
  EXPECT_DEATH(add("a", MetricType::counter), "valid_metric");
  EXPECT_DEATH(add("a", MetricType::gauge, ""), "valid_label_name");
  EXPECT_DEATH(add("a", MetricType::gauge, "a:b"), "valid_label_name");
  EXPECT_DEATH(add("a", MetricType::gauge, "__name__"), "valid_label_name");
}

TEST(ExpositionContract, AMetricMustNotChange) {
  Exposition page;
  page.add(kHeat, {}, 1.0);
  EXPECT_DEATH(page.add({kHeat.name, MetricType::gauge, "Another help."}, {}, 1.0), "broken contract");
  EXPECT_DEATH(page.add(kHeat, {{"a", "1"}, {"a", "2"}}, 1.0), "distinct_names");
}

}  // namespace
}  // namespace ergon::service
