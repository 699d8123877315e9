#include "fleet/prometheus/range_query.h"

#include <gtest/gtest.h>

#include "fleet/prometheus/fake_prometheus.h"
#include "fleet/prometheus/metric_names.h"

namespace ergon::fleet {
namespace {

using test::matrix_text;

TEST(RangeQuery, IsEncoded) {
  EXPECT_EQ(
      range_query_path("{__name__=~\"a|b\"}", {1'700'000'000'250, 1'700'000'600'000, 15'000}),
      "/api/v1/query_range?query=%7B__name__%3D~%22a%7Cb%22%7D&start=1700000000.25&end=1700000600&step=15");
  EXPECT_EQ(range_query_path("a + b&c", {0, 1, 1}),
            "/api/v1/query_range?query=a%20%2B%20b%26c&start=0&end=0.001&step=0.001");
}

TEST(RangeQuery, QueriesAllNamesOfAMetric) {
  EXPECT_EQ(series_of(Metric::power),
            "{__name__=~\"ergon_gpu_power_watts|DCGM_FI_DEV_POWER_USAGE|dcgm_power_usage\"}");
  EXPECT_EQ(series_of(Metric::memory),
            "{__name__=~\"ergon_gpu_memory_utilization_ratio|DCGM_FI_DEV_MEM_COPY_UTIL|"
            "dcgm_mem_copy_utilization|ergon_gpu_memory_utilisation_ratio\"}");
  EXPECT_EQ(rank_of(Metric::temperature, "DCGM_FI_DEV_GPU_TEMP"), 1u);
  EXPECT_EQ(rank_of(Metric::temperature, "dcgm_power_usage"), std::nullopt);
}

TEST(Matrix, IsRead) {
  const auto matrix = parse_matrix(matrix_text(
      R"({"metric":{"__name__":"a","gpu":"0"},"values":[[1700000000.25,"71.5"],[1700000015,"1e2"]]},)"
      R"({"metric":{},"values":[]},{"metric":{"x":"histogram"},"histograms":[]})"));
  ASSERT_TRUE(matrix) << matrix.error().message;
  ASSERT_EQ(matrix->series.size(), 3u);
  EXPECT_EQ(matrix->series[0].labels, (Labels{{"__name__", "a"}, {"gpu", "0"}}));
  ASSERT_EQ(matrix->series[0].values.size(), 2u);
  EXPECT_EQ(matrix->series[0].values[0].at_ms, 1'700'000'000'250);
  EXPECT_EQ(matrix->series[0].values[0].value, 71.5);
  EXPECT_EQ(matrix->series[0].values[1].value, 100);
  EXPECT_TRUE(matrix->series[2].values.empty());
  EXPECT_TRUE(matrix->warnings.empty());
}

TEST(Matrix, ValuesThatAreNotNumbersAreAbsent) {
  const auto matrix = parse_matrix(matrix_text(
      R"({"metric":{},"values":[[1,"NaN"],[2,"+Inf"],[3,"-Inf"],[4,""],[5,"many"],[6,"1e999"]]})"));
  ASSERT_TRUE(matrix);
  ASSERT_EQ(matrix->series[0].values.size(), 6u);
  for (const SeriesValue& each : matrix->series[0].values) EXPECT_EQ(each.value, std::nullopt) << each.at_ms;
}

TEST(Matrix, KeepsWarnings) {
  const auto matrix = parse_matrix(
      R"({"status":"success","warnings":["store 2 is down"],"data":{"resultType":"matrix","result":[]}})");
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->warnings, std::vector<std::string>{"store 2 is down"});
}

TEST(Matrix, ReportsErrorsOfTheServer) {
  const auto bad = parse_matrix(R"({"status":"error","errorType":"bad_data","error":"exceeded maximum"})");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, Errc::invalid_input);
  EXPECT_EQ(bad.error().message, "Prometheus error: bad_data: exceeded maximum");
  const auto late = parse_matrix(R"({"status":"error","errorType":"timeout","error":"too slow"})");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, Errc::io);
  const auto silent = parse_matrix(R"({"status":"error","error":7})");
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().message, "Prometheus error: no reason given");
}

TEST(Matrix, RejectsOtherStructures) {
  const std::string cases[] = {
      "",
      "<html>",
      "[]",
      "7",
      "{}",
      R"({"status":7})",
      R"({"status":"success"})",
      R"({"status":"success","data":[]})",
      R"({"status":"success","data":{"resultType":"matrix"}})",
      R"({"status":"success","data":{"resultType":"matrix","result":{}}})",
      R"({"status":"success","data":{"resultType":"vector","result":[]}})",
      R"({"status":"success","data":{"result":[]}})",
      matrix_text("7"),
      matrix_text("{}"),
      matrix_text(R"({"metric":[],"values":[]})"),
      matrix_text(R"({"metric":{"gpu":0},"values":[]})"),
      matrix_text(R"({"metric":{},"values":{}})"),
      matrix_text(R"({"metric":{},"values":[1,"2"]})"),
      matrix_text(R"({"metric":{},"values":[[1]]})"),
      matrix_text(R"({"metric":{},"values":[[1,2]]})"),
      matrix_text(R"({"metric":{},"values":[["1","2"]]})"),
      matrix_text(R"({"metric":{},"values":[[1,"2",3]]})"),
      matrix_text(R"({"metric":{},"values":[[-1,"2"]]})"),
      matrix_text(R"({"metric":{},"values":[[1e300,"2"]]})"),
  };
  for (const std::string& text : cases) {
    const auto matrix = parse_matrix(text);
    ASSERT_FALSE(matrix) << text;
    EXPECT_EQ(matrix.error().kind, Errc::invalid_input) << text;
  }
}

TEST(Matrix, RejectsEveryTruncatedResponse) {
  const std::string whole =
      matrix_text(R"({"metric":{"__name__":"a"},"values":[[1700000000,"71"],[1700000015,"72"]]})");
  ASSERT_TRUE(parse_matrix(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parse_matrix(std::string_view(whole).substr(0, size))) << size;
}

// A legal response of 60 MiB would take 1.5 GiB of memory.
TEST(Matrix, AResponseOfTooManyValuesIsRefused) {
  std::string text = R"({"status":"success","data":[[])";
  for (int i = 0; i < 6'000'000; ++i) text += ",[]";
  const auto matrix = parse_matrix(text + "]}");
  ASSERT_FALSE(matrix);
  EXPECT_NE(matrix.error().message.find("more than 2,000,000 samples"), std::string::npos)
      << matrix.error().message;
}

TEST(Matrix, ADeepResponseIsRefused) {
  const auto matrix =
      parse_matrix("{\"status\":" + std::string(50'000, '[') + std::string(50'000, ']') + "}");
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().kind, Errc::invalid_input);
  EXPECT_NE(matrix.error().message.find("nested deeper than 128 levels"), std::string::npos)
      << matrix.error().message;
}

}  // namespace
}  // namespace ergon::fleet
