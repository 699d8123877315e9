#include "fleet/prometheus/fake_prometheus.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace ergon::fleet::test {

std::string percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string matrix_text(std::string_view series) {
  return fmt::format(R"({{"status":"success","data":{{"resultType":"matrix","result":[{}]}}}})", series);
}

void FakePrometheus::add(const std::string& name, Labels labels,
                         std::function<std::optional<std::string>(std::int64_t)> shown) {
  series_.push_back({with_name(name, std::move(labels)), std::move(shown)});
}

Result<std::string> FakePrometheus::summary(const std::string& path_and_query) {
  constexpr std::string_view kPath = "/api/v1/query_range?";
  if (!path_and_query.starts_with(kPath)) return fail(Errc::not_found, "404");
  Question question;
  for (const std::string_view part : split(std::string_view(path_and_query).substr(kPath.size()), '&')) {
    const std::size_t equals = part.find('=');
    question.fields[std::string(part.substr(0, equals))] = percent_decoded(part.substr(equals + 1));
  }
  const auto ms_of = [&](const char* field) {
    return std::llround(parse_double(question.fields[field]).value_or(-1) * 1e3);
  };
  question.first_ms = ms_of("start");
  question.last_ms = ms_of("end");
  question.step_ms = ms_of("step");
  questions.push_back(question);

  // {__name__=~"a|b"}, or a name
  const std::string query = question.fields["query"];
  const std::string names = query.starts_with('{') ? query : '"' + query + '"';
  nlohmann::json result = nlohmann::json::array();
  for (const FakeSeries& each : series_) {
    const std::string name = each.labels.at("__name__");
    if (names.find('"' + name + '|') == std::string::npos &&
        names.find('|' + name + '|') == std::string::npos &&
        names.find('|' + name + '"') == std::string::npos &&
        names.find('"' + name + '"') == std::string::npos)
      continue;
    nlohmann::json values = nlohmann::json::array();
    for (std::int64_t at = question.first_ms; at <= question.last_ms; at += question.step_ms) {
      if (const auto value = each.shown(at)) values.push_back({static_cast<double>(at) / 1e3, *value});
    }
    if (!values.empty()) result.push_back({{"metric", each.labels}, {"values", values}});
  }
  nlohmann::json summary{{"status", "success"}, {"data", {{"resultType", "matrix"}, {"result", result}}}};
  if (!warning.empty()) summary["warnings"] = {warning};
  return summary.dump();
}

namespace {

TEST(FakePrometheus, RespondsLikePrometheus) {
  FakePrometheus prometheus;
  prometheus.add("a", {{"gpu", "0"}}, "1");
  prometheus.add("ab", {{"gpu", "0"}}, "2");
  EXPECT_EQ(
      *prometheus.summary("/api/v1/query_range?query=%7B__name__%3D~%22a%7Cb%22%7D&start=1&end=2.5&step=1"),
      R"({"data":{"result":[{"metric":{"__name__":"a","gpu":"0"},"values":[[1.0,"1"],[2.0,"1"]]}],)"
      R"("resultType":"matrix"},"status":"success"})");
  EXPECT_EQ(prometheus.questions.at(0).fields["query"], "{__name__=~\"a|b\"}");
  EXPECT_EQ(prometheus.questions.at(0).last_ms, 2500);
}

}  // namespace
}  // namespace ergon::fleet::test
