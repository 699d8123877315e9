#include "report/allocate_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

TEST(AllocateJson, UnknownValuesAreNull) {
  allocate::Schedule schedule{
      .scheme = allocate::Scheme::vf_oh, .race_to_idle = Seconds{2}, .planned = Seconds{2}};
  schedule.simulated = Seconds{2.5};
  schedule.by_work = {0.25, 0.5};
  schedule.energy_ratio = 0.5;
  const auto json = schedule_summary_json(schedule);
  EXPECT_EQ(json["scheme"], "vf-oh");
  EXPECT_EQ(json["energy_saving"]["layer_mean"], 0.25);
  EXPECT_EQ(json["energy_saving"]["energy_weighted"], 0.5);
  EXPECT_EQ(json["latency_resimulated_seconds"], 2.5);
  for (const char* const absent : {"lower_bound_energy_ratio", "gap", "latency_allowed_seconds", "proof"}) {
    EXPECT_TRUE(json[absent].is_null()) << absent;
  }
  schedule.certificate = allocate::Certificate{0.4, 0.3, false};
  const auto proven = schedule_summary_json(schedule);
  EXPECT_EQ(proven["lower_bound_energy_ratio"], 0.4);
  EXPECT_NEAR(proven["gap"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(proven["proof"]["complete_search"], false);
}

TEST(AllocateJson, ALayerWithATail) {
  allocate::Hardware hardware;
  hardware.clock = Hertz{500e6};
  hardware.words_per_cycle = 20;
  hardware.bytes_per_word = 2;
  allocate::ScheduledLayer layer;
  layer.demand.name = "conv";
  layer.demand.schedule = std::make_shared<systolic::MissSchedule>(*systolic::trace_misses(
      *systolic::geometry_of({"conv", 8, 8, 1, 1, 4, 4, 1, 1}), {{8, 8}, {}, {200, 200, 200}}));
  const std::int64_t lines = layer.demand.schedule->mapping.lines();
  layer.setting = {Hertz{200e6}, 8, allocate::Tail{lines - 2, Hertz{500e6}}};
  const auto json = scheduled_layer_json(layer, hardware);
  EXPECT_EQ(json["frequency_hz"], 200e6);
  EXPECT_DOUBLE_EQ(json["voltage_ratio"], 0.4);
  EXPECT_EQ(json["bandwidth_bytes_per_second"], 8e9);
  EXPECT_EQ(json["bandwidth_ratio"], 0.4);
  EXPECT_EQ(json["tail"]["frequency_hz"], 500e6);
  EXPECT_EQ(json["tail"]["after_line"], lines - 2);
  EXPECT_NEAR(json["tail"]["share_of_work"].get<double>(), 1.0 / static_cast<double>(lines), 1e-12);
}

}  // namespace
}  // namespace ergon::report
