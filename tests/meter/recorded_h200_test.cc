// Recorded readings of an H200 under 18 seconds of bursts from 30 ms to 1.5 s, read every few milliseconds
// (data/reference/h200). The densely read energy counter is the reference. Each power field is measured
// separately and must match it, between times that are unrelated to the bursts.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/text.h"
#include "meter/measurement.h"
#include "meter/recorder.h"

namespace ergon::meter {
namespace {

using device::PowerField;

struct Reading {
  double at = 0, usage = 0, instant = 0;
};
struct Counted {
  double at = 0, joules = 0;
  double give = 0;  // uncertainty of the time
};

struct Recording {
  std::vector<Reading> readings;
  std::vector<Counted> counter, samples;
};

std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  std::ifstream file(std::string(ERGON_REPOSITORY "/data/reference/h200/") + name);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    for (const auto cell : split(line, ',')) cells.emplace_back(cell);
    rows.push_back(std::move(cells));
  }
  return rows;
}

const Recording& recording() {
  static const Recording all = [] {
    Recording read;
    for (const auto& row : rows_of("power_readings.csv")) {
      read.readings.push_back({std::stod(row[0]), std::stod(row[2]), std::stod(row[3])});
      if (!row[4].empty()) read.counter.push_back({std::stod(row[4]), std::stod(row[5])});
    }
    for (const auto& row : rows_of("power_samples.csv"))
      read.samples.push_back({std::stod(row[0]), std::stod(row[1])});
    return read;
  }();
  return all;
}

// Counter steps: the middle between the reads before and after.
const std::vector<Counted>& steps() {
  static const std::vector<Counted> all = [] {
    std::vector<Counted> found;
    const auto& counter = recording().counter;
    for (std::size_t i = 1; i < counter.size(); ++i) {
      if (counter[i].joules != counter[i - 1].joules)
        found.push_back({(counter[i].at + counter[i - 1].at) / 2, counter[i].joules,
                         (counter[i].at - counter[i - 1].at) / 2});
    }
    return found;
  }();
  return all;
}

// The recorded H200 with one power field, with or without its counter.
class RecordedDevice final : public device::Device {
 public:
  RecordedDevice(Clock& clock, PowerField field, bool counter) : clock_(clock) {
    capabilities_.power = {field};
    capabilities_.energy_counter = counter;
  }

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return false; }

  Result<Watts> power(PowerField field) override {
    const Reading& now = last(recording().readings);
    return Watts{field == PowerField::instant ? now.instant : now.usage};
  }
  Result<std::vector<device::PowerSample>> power_samples(Timestamp since) override {
    std::vector<device::PowerSample> found;
    for (const Counted& sample : recording().samples) {
      const Timestamp at{std::llround(sample.at * 1e9)};
      if (at > since && at <= clock_.wall_now()) found.push_back({at, Watts{sample.joules}});
    }
    return found;
  }
  Result<Joules> energy_counter() override {
    if (!capabilities_.energy_counter) return Device::energy_counter();
    return Joules{last(steps()).joules};
  }

 private:
  template <typename T>
  const T& last(const std::vector<T>& rows) const {
    const double now = (clock_.now() - Instant{}).si();
    const auto behind =
        std::upper_bound(rows.begin(), rows.end(), now, [](double t, const T& row) { return t < row.at; });
    return behind == rows.begin() ? rows.front() : *(behind - 1);
  }

  Clock& clock_;
  device::Identity identity_{"gpu0", "GPU-recorded", "NVIDIA H200", device::DeviceKind::nvml};
  device::Capabilities capabilities_;
};

double power_at(double moment) {
  const auto& samples = recording().samples;
  const auto behind = std::lower_bound(samples.begin(), samples.end(), moment,
                                       [](const Counted& sample, double t) { return sample.at < t; });
  return behind == samples.end() ? 0 : behind->joules;
}

struct Field {
  const char* name;
  PowerField field;
  bool counter;
  double most_mean_error;        // of the energy
  double most_mean_error_short;  // of spans of one or two steps
};

class RecordedH200 : public testing::TestWithParam<Field> {
 protected:
  // `length`: the last step of a span, by its first.
  template <typename Length>
  void measure(const Length& length, double most_mean_error);

  Random random_{5};
};

TEST_P(RecordedH200, EnergyOfAnySpanMatchesTheCounter) {
  measure([&](std::size_t first) { return first + 8 + random_.below(steps().size() - 22 - first - 8); },
          GetParam().most_mean_error);
}

// One or two steps of the counter: 100 or 200 ms. The times of the steps are uncertain by 10 ms.
TEST_P(RecordedH200, EnergyOfAShortSpanMatchesTheCounter) {
  measure([&](std::size_t first) { return first + 1 + random_.below(2); }, GetParam().most_mean_error_short);
}

template <typename Length>
void RecordedH200::measure(const Length& length, double most_mean_error) {
  const auto& all = steps();
  int windows = 0, inside = 0;
  double sum_of_errors = 0, sum_of_widths = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t first = 12 + random_.below(all.size() - 60);
    const std::size_t last = length(first);
    ManualClock clock;
    RecordedDevice gpu(clock, GetParam().field, GetParam().counter);
    auto recorder = Recorder::create(gpu, clock, {}).value();
    Instant due;
    const auto pass_until = [&](double moment) {
      const Instant until = Instant{} + Seconds{moment};
      for (; due <= until; due = recorder->read()) clock.sleep_until(due);
      clock.sleep_until(until);
    };
    pass_until(all[first].at);
    const SpanId span = recorder->open(clock.now());
    pass_until(all[last].at);
    recorder->close(span, clock.now());
    std::optional<SpanReport> report;
    for (double t = all[last].at; !(report = recorder->report(span)); t += 0.01) {
      ASSERT_LT(t, recording().readings.back().at);
      pass_until(t);
    }
    const double truth = all[last].joules - all[first].joules;
    const double width = 1.96 * root(report->energy.variance).si();
    const double error = report->energy.energy.si() - truth;
    ++windows;
    const double own = power_at(all[first].at) * all[first].give + power_at(all[last].at) * all[last].give;
    inside += std::fabs(error) <= width + own;  // the reference has uncertain ends too
    sum_of_errors += std::fabs(error) / truth;
    sum_of_widths += width / truth;
  }
  fmt::print("{:22} {} windows: {:.1f} % inside, mean error {:.2f} %, mean half width {:.2f} %\n",
             GetParam().name, windows, 100.0 * inside / windows, 100 * sum_of_errors / windows,
             100 * sum_of_widths / windows);
  EXPECT_GE(inside, 0.9 * windows);
  EXPECT_LE(sum_of_errors / windows, most_mean_error);
}

INSTANTIATE_TEST_SUITE_P(Fields, RecordedH200,
                         testing::Values(Field{"sample buffer", PowerField::samples, false, 0.01, 0.06},
                                         Field{"sample buffer, counter", PowerField::samples, true, 0.01,
                                               0.06},
                                         Field{"instant", PowerField::instant, false, 0.06, 0.2},
                                         Field{"instant, counter", PowerField::instant, true, 0.02, 0.03},
                                         Field{"usage (1 s mean)", PowerField::usage, false, 0.03, 0.6},
                                         Field{"usage, counter", PowerField::usage, true, 0.02, 0.03}),
                         [](const auto& each) { return fmt::format("case{}", each.index); });

}  // namespace
}  // namespace ergon::meter
