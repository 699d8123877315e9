#include "service/metrics/cap_gauge.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

service::HeldCap held_on(const char* device) {
  service::HeldCap held;
  held.job.options = {{"device", device}};
  held.decision = {{"cap_watts", 400.0},
                   {"power_watts", 390.0},
                   {"batch", 32},
                   {"clock_hertz", nullptr},
                   {"throughput_samples_per_second", 5000.0}};
  held.decisions = 7;
  held.violations = 2;
  return held;
}

service::MonitorSnapshot watched() {
  service::MonitorSnapshot snapshot;
  for (const auto& identity : {device::Identity{"gpu0", "GPU-a", "NVIDIA H200", device::DeviceKind::nvml},
                               device::Identity{"gpu1", "GPU-b", "NVIDIA A30", device::DeviceKind::nvml},
                               device::Identity{"v100", "TWIN-v100-0", "V100", device::DeviceKind::twin}}) {
    service::MonitoredDevice each;
    each.reading.identity = identity;
    snapshot.devices.push_back(each);
  }
  return snapshot;
}

TEST(CapGauge, AGpuHasTheIdentityOfItsReadings) {
  const auto reading = cap_gauge(held_on("gpu1"), watched());
  EXPECT_EQ(reading.uuid, "GPU-b");
  EXPECT_EQ(reading.name, "NVIDIA A30");
}

// The monitored twin is not the twin of the run.
TEST(CapGauge, ATwinDiffersFromMonitoredTwins) {
  const auto reading = cap_gauge(held_on("v100"), watched());
  EXPECT_EQ(reading.uuid, "TWIN-v100");
  EXPECT_EQ(reading.name, "v100");
}

TEST(CapGauge, ShowsTheLastDecision) {
  const auto reading = cap_gauge(held_on("gpu0"), watched());
  EXPECT_EQ(reading.cap, Watts{400});
  EXPECT_EQ(reading.power, Watts{390});
  EXPECT_EQ(reading.batch, 32);
  EXPECT_FALSE(reading.clock);
  EXPECT_EQ(reading.samples_per_second, 5000);
  EXPECT_EQ(reading.decisions, 7u);
  EXPECT_EQ(reading.violations, 2u);
}

// A decision log that was edited: the conversion to an integer would be undefined.
TEST(CapGauge, OmitsABatchThatIsOutOfRange) {
  for (const double batch : {1e300, -1e300, -1.0}) {
    HeldCap held = held_on("gpu0");
    held.decision["batch"] = batch;
    EXPECT_EQ(cap_gauge(held, watched()).batch, 0) << batch;
  }
}

}  // namespace
}  // namespace ergon::service
