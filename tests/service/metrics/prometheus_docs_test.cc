// docs/prometheus documents all metrics and uses only existing ones.

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "service/metrics/exposition_reader.h"
#include "service/metrics/promql_names.h"
#include "service/metrics/whole_page.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

const std::filesystem::path kPrometheusDocs = std::filesystem::path(ERGON_REPOSITORY) / "docs/prometheus";

std::string document_text(const char* file) { return read_file(kPrometheusDocs / file).value(); }

nlohmann::json dashboard() { return nlohmann::json::parse(document_text("grafana-dashboard.json")); }

std::set<std::string> known_metrics() {
  std::set<std::string> names;
  for (const Metric& metric : metrics::all()) names.emplace(metric.name);
  return names;
}

std::vector<std::string> dashboard_expressions() {
  const nlohmann::json board = dashboard();
  std::vector<std::string> expressions;
  for (const auto& panel : board.at("panels")) {
    if (!panel.contains("targets")) continue;
    for (const auto& target : panel.at("targets")) expressions.push_back(target.at("expr"));
  }
  return expressions;
}

std::vector<std::string> readme_expressions() {
  std::vector<std::string> expressions;
  std::istringstream in(document_text("README.md"));
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = line == "```promql";
    } else if (inside) {
      expressions.push_back(line);
    }
  }
  return expressions;
}

// "type labels" of each metric: from the table of the README, and from a page with all metrics.
std::map<std::string, std::string> documented_metrics() {
  std::map<std::string, std::string> rows;
  std::istringstream in(document_text("README.md"));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    const auto cells = split(line, '|');
    EXPECT_EQ(cells.size(), 7u) << line;
    std::string name(trim(cells.at(1)));
    EXPECT_FALSE(trim(cells.at(3)).empty() || trim(cells.at(5)).empty()) << line;
    std::set<std::string> labels;
    for (const auto label : split(cells.at(4), ',')) labels.emplace(trim(label));
    std::string shown(trim(cells.at(2)));
    for (const std::string& label : labels) shown += " " + label;
    const bool once = rows.emplace(name.substr(1, name.size() - 2), std::string(trim(shown))).second;
    EXPECT_TRUE(once) << line;
  }
  return rows;
}

std::map<std::string, std::string> shown_metrics() {
  std::map<std::string, std::string> rows;
  const auto page = test::read_exposition(test::whole_page());
  for (const test::ReadFamily& family : *page) {
    std::string shown = family.type;
    for (const auto& [label, value] : family.samples.at(0).labels) shown += " " + label;
    rows[family.name] = shown;
  }
  return rows;
}

TEST(PrometheusDocs, TheReadmeListsEveryMetricWithItsTypeAndLabels) {
  EXPECT_EQ(documented_metrics(), shown_metrics());
}

TEST(PrometheusDocs, NamesInExpressionsAreFound) {
  using Names = std::set<std::string>;
  EXPECT_EQ(test::metrics_in("sum by (host) (rate(a_total{x=~\"b_total\"}[5m])) / on (uuid) c > 3.6e6"),
            (Names{"a_total", "c"}));
  EXPECT_EQ(test::metrics_in("label_values(a{host=~\"$host\"}, uuid)"), Names{"a"});
  EXPECT_EQ(test::metrics_in("count(a == 0) or vector(0)"), Names{"a"});
}

TEST(PrometheusDocs, ExpressionsUseExistingMetrics) {
  const std::set<std::string> known = known_metrics();
  auto expressions = dashboard_expressions();
  EXPECT_GE(expressions.size(), 15u);
  const auto examples = readme_expressions();
  EXPECT_GE(examples.size(), 5u);
  expressions.insert(expressions.end(), examples.begin(), examples.end());
  const nlohmann::json board = dashboard();
  for (const auto& variable : board.at("templating").at("list")) {
    if (variable.at("type") == "query") expressions.push_back(variable.at("query").at("query"));
  }
  for (const std::string& expression : expressions) {
    const auto names = test::metrics_in(expression);
    EXPECT_FALSE(names.empty()) << expression;
    for (const std::string& name : names) EXPECT_TRUE(known.contains(name)) << name << " in " << expression;
  }
}

// The dashboard contains the main metrics.
TEST(PrometheusDocs, TheDashboardShowsTheMainMetrics) {
  std::set<std::string> drawn;
  for (const std::string& expression : dashboard_expressions()) drawn.merge(test::metrics_in(expression));
  for (const char* metric :
       {"ergon_gpu_power_watts", "ergon_gpu_energy_joules_total", "ergon_gpu_clock_hertz",
        "ergon_gpu_temperature_celsius", "ergon_gpu_utilization_ratio", "ergon_cap_watts",
        "ergon_cap_power_watts", "ergon_batch_size", "ergon_throughput_samples_per_second",
        "ergon_http_requests_total", "ergon_cpu_power_watts", "ergon_gpu_up"}) {
    EXPECT_TRUE(drawn.contains(metric)) << metric;
  }
}

TEST(PrometheusDocs, TheDashboardFitsAnyGrafana) {
  const nlohmann::json board = dashboard();
  EXPECT_GE(board.at("schemaVersion"), 36);
  std::set<int> ids;
  std::set<std::pair<int, int>> taken;
  for (const auto& panel : board.at("panels")) {
    EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second) << panel.at("title");
    EXPECT_FALSE(panel.at("title").get<std::string>().empty());
    const auto& place = panel.at("gridPos");
    const int x = place.at("x"), y = place.at("y"), w = place.at("w"), h = place.at("h");
    EXPECT_LE(x + w, 24);
    for (int column = x; column < x + w; ++column) {
      for (int line = y; line < y + h; ++line) {
        EXPECT_TRUE(taken.emplace(column, line).second) << panel.at("title") << " covers another";
      }
    }
    if (!panel.contains("targets")) continue;
    EXPECT_EQ(panel.at("datasource").at("uid"), "${datasource}");
    for (const auto& target : panel.at("targets")) {
      EXPECT_EQ(target.at("datasource").at("uid"), "${datasource}");
    }
  }
}

TEST(PrometheusDocs, PromtoolAcceptsConfigurationAndExpressions) {
  if (test::run_shell("command -v promtool").exit_code != 0) GTEST_SKIP() << "promtool is not installed";
  const auto config = test::run_shell("promtool check config --syntax-only prometheus.yml",
                                      kPrometheusDocs.string(), {}, true);
  EXPECT_EQ(config.exit_code, 0) << config.out;

  auto expressions = dashboard_expressions();
  for (const std::string& example : readme_expressions()) expressions.push_back(example);
  nlohmann::json rules = nlohmann::json::array();
  for (std::string expression : expressions) {
    // Variables that Grafana replaces.
    for (const char* range : {"$__rate_interval", "$__range"}) {
      for (auto at = expression.find(range); at != std::string::npos; at = expression.find(range)) {
        expression.replace(at, std::string_view(range).size(), "1m");
      }
    }
    rules.push_back({{"record", "test:" + std::to_string(rules.size())}, {"expr", expression}});
  }
  const test::TemporaryFolder folder;
  const nlohmann::json file = {{"groups", {{{"name", "all"}, {"rules", rules}}}}};
  ASSERT_TRUE(write_file(folder.path() / "rules.yml", file.dump()));
  const auto checked = test::run_shell("promtool check rules rules.yml", folder.path().string(), {}, true);
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
}

}  // namespace
}  // namespace ergon::service
