// `ergon fleet analyze --prometheus` reads what `ergon serve` exports.

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet/ingest.h"
#include "fleet/prometheus/metric_names.h"
#include "fleet/prometheus/prometheus_source.h"
#include "service/metrics/exposition_reader.h"
#include "service/metrics/whole_page.h"

namespace ergon::service {
namespace {

// Stores one scrape and repeats it at every step of a range query, as Prometheus does.
class ScrapedPage {
 public:
  explicit ScrapedPage(std::string_view page) : families_(test::read_exposition(page).value()) {}

  fleet::Fetch fetch() const {
    return [this](const std::string& path) { return Result<std::string>(response(path)); };
  }

 private:
  // Metric names are not changed by URL encoding; in a query they end at |, " or the next field.
  static bool queries(const std::string& path, const std::string& name) {
    for (const char* end : {"%7C", "%22", "&"}) {
      for (const char* begin : {"%7C", "%22", "="}) {
        if (path.find(begin + name + end) != std::string::npos) return true;
      }
    }
    return false;
  }
  std::string response(const std::string& path) const {
    nlohmann::json result = nlohmann::json::array();
    for (const test::ReadFamily& family : families_) {
      if (!queries(path, family.name)) continue;
      for (const test::ReadSample& sample : family.samples) {
        nlohmann::json labels = sample.labels;
        labels["__name__"] = family.name;
        nlohmann::json values = nlohmann::json::array();
        for (const int at : {0, 15, 30}) values.push_back({at, fmt::format("{}", sample.value)});
        result.push_back({{"metric", labels}, {"values", values}});
      }
    }
    return nlohmann::json{{"status", "success"}, {"data", {{"resultType", "matrix"}, {"result", result}}}}
        .dump();
  }

  std::vector<test::ReadFamily> families_;
};

std::string page_of(const GpuReading& gpu) {
  Exposition page;
  add_device(page, gpu, "node-7");
  return page.text();
}

Result<fleet::IngestResult> read_page(const std::string& text) {
  const ScrapedPage page(text);
  const auto range = fleet::steps_between(Timestamp{0}, Timestamp{30'000'000'000}, Seconds{15});
  fleet::FleetInputs inputs;
  inputs.others.push_back([&](fleet::NameTables& names) {
    return std::make_unique<fleet::PrometheusSource>(page.fetch(), *range, names);
  });
  return fleet::read_fleet(inputs, {}, {});
}

TEST(FleetReadsMetrics, TheExporterServesEveryNameThatIsQueried) {
  std::set<std::string_view> served;
  for (const Metric& metric : metrics::all()) served.insert(metric.name);
  std::size_t current = 0;
  for (const fleet::Metric metric : fleet::kAllMetrics) {
    bool any = false;
    for (const fleet::KnownName& each : fleet::known_names(metric)) {
      if (!each.name.starts_with("ergon_")) continue;
      EXPECT_EQ(served.contains(each.name), !each.former) << each.name;
      any = any || !each.former;
      current += each.former ? 0 : 1;
    }
    EXPECT_TRUE(any) << fleet::kMetricNames[static_cast<std::size_t>(metric)];
  }
  EXPECT_EQ(current, fleet::kMetrics);
  EXPECT_EQ(fleet::kSimulatedName, metrics::kGpuSimulated.name);
}

TEST(FleetReadsMetrics, AnExportedReadingArrivesWithItsValues) {
  const auto read = read_page(page_of(test::complete_gpu()));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->tally.hosts.size(), 1u);
  EXPECT_EQ(read->tally.hosts.begin()->first, "node-7");
  ASSERT_EQ(read->tally.hosts.begin()->second.gpus.size(), 1u);
  const fleet::GpuTally& gpu = read->tally.hosts.begin()->second.gpus.front();
  EXPECT_EQ(gpu.uuid, "GPU-1");
  EXPECT_EQ(gpu.sums.samples, 3u);
  const fleet::PerMetric<double> expected{251.5, 55, 75, 50};
  for (std::size_t m = 0; m < fleet::kMetrics; ++m) {
    EXPECT_EQ(gpu.sums.count[m], 3u) << fleet::kMetricNames[m];
    EXPECT_NEAR(gpu.sums.sum[m], 3 * expected[m], 1e-9) << fleet::kMetricNames[m];
  }
  EXPECT_FALSE(read->tally.simulated);
}

TEST(FleetReadsMetrics, SimulatedGpusStaySimulated) {
  GpuReading twin = test::complete_gpu();
  twin.identity.kind = device::DeviceKind::twin;
  twin.simulated = true;
  const auto read = read_page(page_of(twin));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->tally.simulated);
  EXPECT_EQ(read->tally.samples.simulated, 3u);
}

}  // namespace
}  // namespace ergon::service
