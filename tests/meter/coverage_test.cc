// Coverage of the stated interval: a thousand random programs per sensor type, each on another board,
// measured as `ergon measure` does and compared with the true energy of the twin.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/statistics/quantile.h"
#include "meter/simulated_work.h"

namespace ergon::meter {
namespace {

struct CoverageCase {
  const char* name;
  const char* device;
  bool counter;
};

class Coverage : public testing::TestWithParam<CoverageCase> {};

TEST_P(Coverage, OfAThousandRandomPrograms) {
  constexpr int kPrograms = 1000;
  const auto base = device::device_called(GetParam().device);
  const auto loads = some_loads(base);
  Random random(20261115);
  int inside = 0, inside_by_statistics = 0, valid = 0;
  double bias = 0, squares = 0;
  std::vector<double> widths, statistical;
  for (int i = 0; i < kPrograms; ++i) {
    device::Specification board = another_board(base, random);
    if (!GetParam().counter) board.energy_counter_period.reset();
    device::Twin twin(board, random.bits());
    const Outcome outcome = measure(twin, random_program(random, loads), random);
    const Measurement& measured = outcome.measurement;
    const double error = (measured.energy - outcome.truth).si();
    inside += std::fabs(error) <= measured.uncertainty.si();
    // The ideal integral of this board's sensor.
    const device::SensorModel& sensor = board.sensors.front();
    const SpanReport& report = measured.sources[0].report;
    const Joules ideal = outcome.truth * sensor.gain + sensor.offset * measured.duration;
    const double z = ((report.energy.energy - ideal) / root(report.energy.variance)).si();
    inside_by_statistics += std::fabs(z) <= 1.96;
    bias += (report.energy.energy - ideal).si() / ideal.si() / kPrograms;
    squares += z * z / kPrograms;
    widths.push_back(100 * (measured.uncertainty / measured.energy).si());
    statistical.push_back(100 * (measured.statistical / measured.energy).si());
    valid += measured.valid();
  }
  std::sort(widths.begin(), widths.end());
  std::sort(statistical.begin(), statistical.end());
  fmt::print(
      "{:24} inside {:5.1f} %, by statistics alone {:5.1f} %; median half width {:.2f} %, {:.2f} %; bias "
      "{:+.2f} %, rms z {:.2f}, valid {}\n",
      GetParam().name, inside / 10.0, inside_by_statistics / 10.0, widths[500], statistical[500], 100 * bias,
      std::sqrt(squares), valid);
  EXPECT_GE(inside, 930);
  EXPECT_GE(inside_by_statistics, 930);
}

INSTANTIATE_TEST_SUITE_P(EverySensor, Coverage,
                         testing::Values(CoverageCase{"20/10", "v100", true},
                                         CoverageCase{"20/10, no counter", "p100", false},
                                         CoverageCase{"100/25", "a100-sxm-80", true},
                                         CoverageCase{"100/25, no counter", "a100-sxm-80", false},
                                         CoverageCase{"100/100", "rtx2080ti", true},
                                         CoverageCase{"100/100, no counter", "rtx2080ti", false},
                                         CoverageCase{"100/1000", "a40", true},
                                         CoverageCase{"100/1000, no counter", "a40", false},
                                         CoverageCase{"20/20 buffer", "h200", true},
                                         CoverageCase{"20/20 buffer, no counter", "h200", false}),
                         [](const auto& each) {
                           return fmt::format("{}_{}", each.index, each.param.counter ? "counter" : "bare");
                         });

}  // namespace
}  // namespace ergon::meter
