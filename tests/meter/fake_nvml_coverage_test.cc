// End to end, as in `ergon measure`: the meter reads an NVML device, which uses a library with NVML's
// interface and a twin behind it. A thousand random programs per sensor type, in simulated time, compared
// with the twin's true energy.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "device/nvml/find.h"
#include "fake-nvml/fake_nvml.h"
#include "meter/measurement.h"
#include "meter/recorder.h"
#include "support/temporary_folder.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

constexpr const char* kLibrary = ERGON_FAKE_NVML_FOLDER "/libnvidia-ml.so.1";

// A machine with one GPU; sleeping advances its time.
class FakeMachine final : public Clock {
 public:
  explicit FakeMachine(const std::string& twin) {
    const std::string scenario = (folder_.path() / "scenario.json").string();
    std::ofstream(scenario) << fmt::format(R"({{"devices": ["{}"], "time": "manual", "state": "state"}})",
                                           twin);
    ::setenv("ERGON_FAKE_NVML", scenario.c_str(), 1);
    found_ = std::move(device::nvml::find_devices(kLibrary).value());
    handle_ = ::dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD);
    run_ = function<decltype(&ergon_fake_nvml_run)>("ergon_fake_nvml_run");
    stop_ = function<decltype(&ergon_fake_nvml_stop)>("ergon_fake_nvml_stop");
    advance_ = function<decltype(&ergon_fake_nvml_advance)>("ergon_fake_nvml_advance");
    close_ = function<decltype(&ergon_fake_nvml_close_context)>("ergon_fake_nvml_close_context");
    truth_ = function<decltype(&ergon_fake_nvml_truth)>("ergon_fake_nvml_truth");
  }
  ~FakeMachine() override {
    found_.devices.clear();
    ::dlclose(handle_);
  }

  device::Device& gpu() { return *found_.devices.at(0); }
  Instant now() const override { return now_; }
  Timestamp wall_now() const override { return {now_.ns}; }
  void sleep_until(Instant due) override {
    if (due <= now_) return;
    EXPECT_EQ(advance_((due - now_).si()), 0);
    now_ = due;
  }

  void run(const char* network, long long batch) {
    const ErgonFakeNvmlLoad load{network, batch, nullptr, nullptr, 0};
    EXPECT_EQ(run_(0, &load), 0);
  }
  void stop() { EXPECT_EQ(stop_(0), 0); }
  void leave() { EXPECT_EQ(close_(0), 0); }
  Joules true_energy() {
    ErgonFakeNvmlTruth truth{};
    EXPECT_EQ(truth_(0, &truth), 0);
    return Joules{truth.joules};
  }

 private:
  template <typename Function>
  Function function(const char* name) {
    return reinterpret_cast<Function>(::dlsym(handle_, name));
  }

  test::TemporaryFolder folder_;
  device::FoundDevices found_;
  void* handle_ = nullptr;
  decltype(&ergon_fake_nvml_run) run_ = nullptr;
  decltype(&ergon_fake_nvml_stop) stop_ = nullptr;
  decltype(&ergon_fake_nvml_advance) advance_ = nullptr;
  decltype(&ergon_fake_nvml_close_context) close_ = nullptr;
  decltype(&ergon_fake_nvml_truth) truth_ = nullptr;
  Instant now_;
};

struct Outcome {
  Measurement measurement;
  Joules truth;
};

double log_uniform(Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

Outcome measure_random_program(FakeMachine& machine, Random& random) {
  static constexpr const char* kNetworks[] = {"resnet50", "mobilenet_v2", "vgg16", "alexnet"};
  static constexpr long long kBatches[] = {1, 16, 128};
  auto recorder = Recorder::create(machine.gpu(), machine, {}).value();
  Instant due = machine.now();
  const auto pass_until = [&](Instant moment) {
    for (; due <= moment; due = recorder->read()) machine.sleep_until(due);
    machine.sleep_until(moment);
  };
  while (!recorder->ready()) pass_until(due);
  pass_until(machine.now() + Seconds{0.1 * random.uniform()});

  const Joules before = machine.true_energy();
  const SpanId span = recorder->open(machine.now());
  pass_until(machine.now() + Seconds{log_uniform(random, 0.005, 0.3)});
  const std::uint64_t stretches = 1 + random.below(4);
  for (std::uint64_t i = 0; i < stretches; ++i) {
    machine.run(kNetworks[random.below(4)], kBatches[random.below(3)]);
    pass_until(machine.now() + Seconds{log_uniform(random, 0.05, 2)});
    if (random.below(3) != 0) continue;
    machine.stop();
    pass_until(machine.now() + Seconds{log_uniform(random, 0.01, 1)});
  }
  machine.leave();
  const Joules truth = machine.true_energy() - before;
  recorder->close(span, machine.now());
  std::optional<SpanReport> report;
  while (!(report = recorder->report(span))) pass_until(due);
  return {measured({*report}), truth};
}

class FakeNvmlCoverage : public testing::TestWithParam<const char*> {};

TEST_P(FakeNvmlCoverage, OfAThousandRandomPrograms) {
  constexpr int kPrograms = 1000;
  FakeMachine machine(GetParam());
  Random random(7);
  int inside = 0;
  std::vector<double> widths;
  for (int i = 0; i < kPrograms; ++i) {
    const Outcome outcome = measure_random_program(machine, random);
    ASSERT_TRUE(outcome.measurement.simulated);
    inside +=
        std::fabs((outcome.measurement.energy - outcome.truth).si()) <= outcome.measurement.uncertainty.si();
    widths.push_back(100 * (outcome.measurement.uncertainty / outcome.measurement.energy).si());
  }
  std::sort(widths.begin(), widths.end());
  fmt::print("{:12} {:.1f} % inside, median half width {:.2f} %\n", GetParam(), inside / 10.0,
             widths[kPrograms / 2]);
  EXPECT_GE(inside, 930);
  EXPECT_LE(widths[kPrograms / 2], 7);
}

// 20/10, 100/25, 100/100 and 100/1000 ms.
INSTANTIATE_TEST_SUITE_P(EverySensor, FakeNvmlCoverage,
                         testing::Values("v100", "a100-sxm-80", "rtx2080ti", "a40"),
                         [](const auto& each) { return fmt::format("case{}", each.index); });

}  // namespace
}  // namespace ergon::meter
