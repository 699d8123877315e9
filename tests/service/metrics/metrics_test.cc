#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "service/metrics/exposition_reader.h"
#include "service/metrics/whole_page.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

using namespace literals;
using test::value_in;
using Families = std::vector<test::ReadFamily>;

Families families_on(const std::string& page) {
  auto read = test::read_exposition(page);
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  return read ? *read : Families{};
}

TEST(GpuMetrics, ShowTheReading) {
  const Families page = families_on(test::whole_page());
  const std::map<std::string, std::string> gpu = {
      {"uuid", "GPU-1"}, {"name", "Tesla \"V100\""}, {"host", "node-7"}};
  EXPECT_EQ(value_in(page, "ergon_gpu_up", gpu), 1);
  EXPECT_EQ(value_in(page, "ergon_gpu_simulated", gpu), 0);
  EXPECT_EQ(value_in(page, "ergon_gpu_power_watts", gpu), 251.5);
  EXPECT_EQ(value_in(page, "ergon_gpu_energy_joules_total", gpu), 123456.789);
  EXPECT_EQ(value_in(page, "ergon_gpu_clock_hertz", gpu), 1.38e9);
  EXPECT_EQ(value_in(page, "ergon_gpu_memory_clock_hertz", gpu), 8.77e8);
  EXPECT_EQ(value_in(page, "ergon_gpu_temperature_celsius", gpu), 55);
  EXPECT_EQ(value_in(page, "ergon_gpu_memory_temperature_celsius", gpu), 61);
  EXPECT_EQ(value_in(page, "ergon_gpu_utilization_ratio", gpu), 0.75);
  EXPECT_EQ(value_in(page, "ergon_gpu_memory_utilization_ratio", gpu), 0.5);
  EXPECT_EQ(value_in(page, "ergon_gpu_memory_used_bytes", gpu), 4.0 * (1 << 30));
  EXPECT_EQ(value_in(page, "ergon_gpu_memory_total_bytes", gpu), 32.0 * (1 << 30));
  EXPECT_EQ(value_in(page, "ergon_gpu_power_limit_watts", gpu), 250);
}

TEST(GpuMetrics, ProcessorsHaveOtherNames) {
  Exposition page;
  add_device(page, test::processor(), "node-7");
  const Families families = families_on(page.text());
  ASSERT_EQ(families.size(), 3u);
  EXPECT_EQ(value_in(families, "ergon_cpu_up", {{"uuid", "CPU-1"}}), 1);
  EXPECT_EQ(value_in(families, "ergon_cpu_power_watts", {{"uuid", "CPU-1"}, {"host", "node-7"}}), 95);
  EXPECT_EQ(value_in(families, "ergon_cpu_energy_joules_total", {{"name", "EPYC"}}), 1e6);
}

TEST(GpuMetrics, ATwinIsAGpuMarkedSimulated) {
  GpuReading twin = test::complete_gpu();
  twin.identity.kind = device::DeviceKind::twin;
  twin.simulated = true;
  Exposition page;
  add_device(page, twin, "a");
  EXPECT_EQ(value_in(families_on(page.text()), "ergon_gpu_simulated"), 1);
  EXPECT_EQ(value_in(families_on(page.text()), "ergon_gpu_power_watts"), 251.5);
}

TEST(GpuMetrics, ADeviceThatDoesNotRespondHasOnlyUp) {
  Exposition page;
  add_device(page, cleared_reading(test::complete_gpu()), "a");
  add_device(page, cleared_reading(test::processor()), "a");
  const Families families = families_on(page.text());
  ASSERT_EQ(families.size(), 3u);
  EXPECT_EQ(value_in(families, "ergon_gpu_up"), 0);
  EXPECT_EQ(value_in(families, "ergon_gpu_simulated"), 0);
  EXPECT_EQ(value_in(families, "ergon_cpu_up"), 0);
}

TEST(GpuMetrics, ShowAllDevicesOfASnapshot) {
  MonitorSnapshot snapshot;
  for (const char* uuid : {"A", "B", "B"}) {
    MonitoredDevice each{test::complete_gpu(), {}};
    each.reading.identity.uuid = uuid;
    snapshot.devices.push_back(each);
  }
  Exposition page;
  add_devices(page, snapshot, "a");
  const Families families = families_on(page.text());
  ASSERT_FALSE(families.empty());
  for (const test::ReadFamily& family : families) EXPECT_EQ(family.samples.size(), 2u) << family.name;
}

TEST(CapMetrics, ShowTheRun) {
  const Families page = families_on(test::whole_page());
  const std::map<std::string, std::string> gpu = {{"uuid", "GPU-1"}, {"host", "node-7"}};
  EXPECT_EQ(value_in(page, "ergon_cap_watts", gpu), 200);
  EXPECT_EQ(value_in(page, "ergon_cap_power_watts", gpu), 190.25);
  EXPECT_EQ(value_in(page, "ergon_cap_clock_hertz", gpu), 1.2e9);
  EXPECT_EQ(value_in(page, "ergon_batch_size", gpu), 32);
  EXPECT_EQ(value_in(page, "ergon_throughput_samples_per_second", gpu), 1234.5);
  EXPECT_EQ(value_in(page, "ergon_cap_decisions_total", gpu), 17);
  EXPECT_EQ(value_in(page, "ergon_cap_violations_total", gpu), 2);
}

TEST(CapMetrics, OmitUnknownPowerAndClock) {
  CapReading run = test::cap_run();
  run.power.reset();
  run.clock.reset();
  Exposition page;
  add_cap(page, run, "a");
  const Families families = families_on(page.text());
  EXPECT_EQ(families.size(), 5u);
  EXPECT_FALSE(value_in(families, "ergon_cap_power_watts"));
  EXPECT_FALSE(value_in(families, "ergon_cap_clock_hertz"));
}

TEST(ServiceMetrics, ShowTheServer) {
  const Families page = families_on(test::whole_page());
  EXPECT_EQ(value_in(page, "ergon_http_requests_total", {{"code", "2xx"}}), 100);
  EXPECT_EQ(value_in(page, "ergon_http_requests_total", {{"code", "3xx"}}), 4);
  EXPECT_EQ(value_in(page, "ergon_http_requests_total", {{"code", "4xx"}}), 7);
  EXPECT_EQ(value_in(page, "ergon_http_requests_total", {{"code", "5xx"}}), 1);
  EXPECT_EQ(value_in(page, "ergon_jobs", {{"state", "queued"}}), 6);
  EXPECT_EQ(value_in(page, "ergon_jobs", {{"state", "running"}}), 1);
  EXPECT_EQ(value_in(page, "ergon_jobs", {{"state", "done"}}), 2);
  EXPECT_EQ(value_in(page, "ergon_jobs", {{"state", "failed"}}), 3);
  EXPECT_EQ(value_in(page, "ergon_jobs", {{"state", "cancelled"}}), 4);
  EXPECT_EQ(value_in(page, "ergon_jobs", {{"state", "interrupted"}}), 5);
  EXPECT_EQ(value_in(page, "ergon_build_info", {{"version", "1.2.3"}}), 1);
  EXPECT_EQ(value_in(page, "process_start_time_seconds"), 1700000000.5);
  EXPECT_EQ(value_in(page, "process_resident_memory_bytes"), 40.0 * (1 << 20));
}

TEST(ServiceMetrics, CountersExistBeforeTheFirstRequest) {
  Exposition page;
  add_service(page, {});
  EXPECT_EQ(value_in(families_on(page.text()), "ergon_http_requests_total", {{"code", "5xx"}}), 0);
}

TEST(RequestCounts, CountByStatusClass) {
  RequestCounts counts;
  for (const int status : {200, 201, 204, 304, 400, 401, 404, 418, 500, 503, 0, 99, 700, -1}) {
    counts.count(status);
  }
  EXPECT_EQ(counts.status_2xx, 3u);
  EXPECT_EQ(counts.status_3xx, 1u);
  EXPECT_EQ(counts.status_4xx, 4u);
  EXPECT_EQ(counts.status_5xx, 6u);
}

TEST(Metrics, AllListsEveryMetric) {
  std::map<std::string, std::string> shown, listed;
  for (const test::ReadFamily& family : families_on(test::whole_page())) shown[family.name] = family.type;
  for (const Metric& metric : metrics::all()) {
    const bool fresh =
        listed.emplace(metric.name, metric.type == MetricType::counter ? "counter" : "gauge").second;
    EXPECT_TRUE(fresh) << metric.name;
    EXPECT_TRUE(metric.help.ends_with('.')) << metric.name;
  }
  EXPECT_EQ(shown, listed);
}

TEST(Metrics, HaveOnlyKnownLabels) {
  const std::set<std::string> allowed = {"uuid", "name", "host", "code", "state", "version"};
  for (const test::ReadFamily& family : families_on(test::whole_page())) {
    for (const test::ReadSample& sample : family.samples) {
      for (const auto& [label, value] : sample.labels) EXPECT_TRUE(allowed.contains(label)) << label;
    }
  }
}

TEST(Metrics, PassPromtool) {
  if (test::run_shell("command -v promtool").exit_code != 0) GTEST_SKIP() << "promtool is not installed";
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "page", test::whole_page()));
  const auto checked = test::run_shell("promtool check metrics < page", folder.path().string());
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_EQ(checked.out + checked.err, "");
}

}  // namespace
}  // namespace ergon::service
