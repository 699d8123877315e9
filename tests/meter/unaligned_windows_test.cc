// Windows that are not aligned with the work, such as one iteration of many or a part of a service's life,
// open and close while work runs. The stated interval must hold there too.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "meter/recorded_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

constexpr int kWindows = 200;

struct UnalignedCase {
  const char* device;
  bool counter;
};

// Coverage, and the highest reported power.
struct Tally {
  int inside = 0;
  Watts highest;
};

class Unaligned : public testing::TestWithParam<UnalignedCase> {
 protected:
  Unaligned() : base_(device::device_called(GetParam().device)), loads_(some_loads(base_)) {
    if (!GetParam().counter) base_.energy_counter_period.reset();
  }

  std::shared_ptr<const device::Load> any_load() { return loads_[random_.below(loads_.size())]; }

  template <typename Play>  // runs a program around the window
  Tally measure(const Play& play) {
    Tally tally;
    for (int i = 0; i < kWindows; ++i) {
      RecordedTwin recorded(another_board(base_, random_), random_.bits());
      recorded.twin.advance(Seconds{random_.uniform()});
      recorded.watch();
      const auto [id, truth] = play(recorded);
      const Measurement measured = recorded.measurement(id);
      tally.inside += std::fabs((measured.energy - truth).si()) <= measured.uncertainty.si();
      tally.highest = std::max(tally.highest, measured.peak);
    }
    fmt::print("{} {}: {:.1f} % inside, peaks up to {:.0f} W\n", GetParam().device,
               GetParam().counter ? "with counter" : "bare", 100.0 * tally.inside / kWindows,
               tally.highest.si());
    return tally;
  }
  void judge(const Tally& tally) const {
    EXPECT_GE(tally.inside, kWindows * 90 / 100);
    EXPECT_LE(tally.highest, base_.limit.max * 3) << "implausible power";
  }

  Random random_{5};
  device::Specification base_;
  std::vector<std::shared_ptr<const device::Load>> loads_;
};

struct PlayedWindow {
  SpanId id;
  Joules truth;
};

// Warm-up iterations, the window, and further iterations.
TEST_P(Unaligned, WorkBeginsBeforeAndEndsAfter) {
  judge(measure([&](RecordedTwin& recorded) {
    recorded.pass(0.3_s * random_.uniform());
    recorded.twin.run(any_load());
    recorded.pass(Seconds{log_uniform(random_, 0.01, 0.3)});
    const SpanId id = recorded.open();
    const Joules before = recorded.twin.true_energy();
    recorded.pass(Seconds{log_uniform(random_, 0.3, 3)});
    const Joules truth = recorded.twin.true_energy() - before;
    recorded.close(id);
    recorded.pass(Seconds{log_uniform(random_, 0.01, 0.3)});
    recorded.twin.close_context();
    return PlayedWindow{id, truth};
  }));
}

// Work starts and stops about every 0.1 s, and the window opens and closes at random times.
TEST_P(Unaligned, WorkIsIntermittent) {
  judge(measure([&](RecordedTwin& recorded) {
    const Instant opens = recorded.clock.now() + 1_s + Seconds{random_.uniform()};
    const Instant closes = opens + Seconds{log_uniform(random_, 0.3, 3)};
    const auto go_on = [&](Instant until) {
      while (recorded.clock.now() < until) {
        if (random_.below(2) == 0) {
          recorded.twin.run(any_load());
        } else {
          recorded.twin.close_context();
        }
        recorded.pass(std::min(Seconds{log_uniform(random_, 0.02, 0.5)}, until - recorded.clock.now()));
      }
    };
    go_on(opens);
    const SpanId id = recorded.open();
    const Joules before = recorded.twin.true_energy();
    go_on(closes);
    const Joules truth = recorded.twin.true_energy() - before;
    recorded.close(id);
    go_on(closes + 0.2_s);
    return PlayedWindow{id, truth};
  }));
}

INSTANTIATE_TEST_SUITE_P(EverySensor, Unaligned,
                         testing::Values(UnalignedCase{"v100", true}, UnalignedCase{"p100", false},
                                         UnalignedCase{"a100-sxm-80", true},
                                         UnalignedCase{"a100-sxm-80", false},
                                         UnalignedCase{"rtx2080ti", true}, UnalignedCase{"rtx2080ti", false},
                                         UnalignedCase{"a40", true}, UnalignedCase{"a40", false},
                                         UnalignedCase{"h200", true}, UnalignedCase{"h200", false}),
                         [](const auto& each) {
                           return fmt::format("{}_{}", each.index, each.param.counter ? "counter" : "bare");
                         });

}  // namespace
}  // namespace ergon::meter
