#include "service/metrics/gauges_json.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "service/metrics/whole_page.h"

namespace ergon::service {
namespace {

using GaugesJson = nlohmann::ordered_json;

MonitorSnapshot one_device(const GpuReading& reading, std::vector<PowerPoint> history = {}) {
  return {Timestamp{1'700'000'001'999'999'999},
          {{reading, std::move(history), Joules{5000}}},
          Timestamp{1'700'000'000'000'000'000}};
}

TEST(GaugesJson, WritesTheSnapshot) {
  const GaugesJson body =
      gauges_json(one_device(test::complete_gpu(), {{Timestamp{1'700'000'000'000'000'000}, Watts{250}},
                                                    {Timestamp{1'700'000'001'000'400'000}, Watts{251.5}}}),
                  "node-7");
  const GaugesJson expected = GaugesJson::parse(R"({
    "time": "2023-11-14T22:13:21.999Z",
    "started": "2023-11-14T22:13:20Z",
    "host": "node-7",
    "devices": [{
      "id": "gpu0", "uuid": "GPU-1", "name": "Tesla \"V100\"", "kind": "nvml", "simulated": false,
      "responding": true, "power_watts": 251.5, "energy_joules": 123456.789,
      "energy_since_start_joules": 5000.0, "clock_hertz": 1380000000.0,
      "memory_clock_hertz": 877000000.0, "temperature_celsius": 55.0, "memory_temperature_celsius": 61.0,
      "utilization": {"compute": 0.75, "memory": 0.5},
      "memory_used_bytes": 4294967296.0, "memory_total_bytes": 34359738368.0,
      "power_limit_watts": 250.0, "event_reasons": ["power_cap"]
    }],
    "history": [{
      "uuid": "GPU-1",
      "time": ["2023-11-14T22:13:20Z", "2023-11-14T22:13:21Z"],
      "power_watts": [250.0, 251.5]
    }]
  })");
  EXPECT_EQ(body.dump(1), expected.dump(1));
}

TEST(GaugesJson, UnknownValuesAreNull) {
  GpuReading quiet = cleared_reading(test::complete_gpu());
  quiet.responding = true;
  const GaugesJson body = gauges_json(one_device(quiet), "a");
  int nulls = 0;
  for (const auto& [key, value] : body["devices"][0].items()) nulls += value.is_null() ? 1 : 0;
  EXPECT_EQ(nulls, 11);
  EXPECT_EQ(body["devices"][0]["id"], "gpu0");
  EXPECT_TRUE(body["devices"][0]["event_reasons"].is_null());
  EXPECT_EQ(body["history"][0]["time"], GaugesJson::array());
}

TEST(GaugesJson, NonFiniteValuesAreNull) {
  GpuReading odd = test::complete_gpu();
  odd.power = Watts{std::numeric_limits<double>::quiet_NaN()};
  odd.temperature = Celsius{std::numeric_limits<double>::infinity()};
  const GaugesJson body = gauges_json(one_device(odd), "a");
  EXPECT_TRUE(body["devices"][0]["power_watts"].is_null());
  EXPECT_TRUE(body["devices"][0]["temperature_celsius"].is_null());
}

TEST(GaugesJson, NoEventReasonsAreAnEmptyList) {
  GpuReading calm = test::complete_gpu();
  calm.event_reasons = device::EventReasons();
  EXPECT_EQ(gauges_json(one_device(calm), "a")["devices"][0]["event_reasons"], GaugesJson::array());
}

TEST(GaugesJson, WithoutDevicesHasEmptyLists) {
  const GaugesJson body = gauges_json({}, "a");
  EXPECT_EQ(body["devices"], GaugesJson::array());
  EXPECT_EQ(body["history"], GaugesJson::array());
}

}  // namespace
}  // namespace ergon::service
