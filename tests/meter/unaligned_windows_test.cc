// Windows that know nothing of the work. Whoever measures a part of something that runs (after a warm-up, an
// iteration out of many, a service between two questions) opens and closes in the middle of it, and the
// stated interval has to hold the truth there too.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "meter/watched_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

constexpr int kWindows = 200;

struct UnalignedCase {
  const char* device;
  bool counter;
};

// How often the truth was inside, and the highest power that was told of.
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

  template <typename Play>  // plays a program around the window that it opens and closes
  Tally measure(const Play& play) {
    Tally tally;
    for (int i = 0; i < kWindows; ++i) {
      WatchedTwin watched(another_board(base_, random_), random_.bits());
      watched.twin.advance(Seconds{random_.uniform()});
      watched.watch();
      const auto [id, truth] = play(watched);
      const Measurement measured = watched.measurement(id);
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
    EXPECT_LE(tally.highest, base_.limit.most * 3) << "no board draws more";
  }

  Random random_{5};
  device::Specification base_;
  std::vector<std::shared_ptr<const device::Load>> loads_;
};

struct PlayedWindow {
  SpanId id;
  Joules truth;
};

// Some iterations to warm up, the window, and some more behind it.
TEST_P(Unaligned, WorkBeginsBeforeAndEndsBehind) {
  judge(measure([&](WatchedTwin& watched) {
    watched.pass(0.3_s * random_.uniform());
    watched.twin.run(any_load());
    watched.pass(Seconds{log_uniform(random_, 0.01, 0.3)});
    const SpanId id = watched.open();
    const Joules before = watched.twin.true_energy();
    watched.pass(Seconds{log_uniform(random_, 0.3, 3)});
    const Joules truth = watched.twin.true_energy() - before;
    watched.close(id);
    watched.pass(Seconds{log_uniform(random_, 0.01, 0.3)});
    watched.twin.close_context();
    return PlayedWindow{id, truth};
  }));
}

// Work has been coming and going every tenth of a second or so, and a window opens and closes anywhere.
TEST_P(Unaligned, WorkComesAndGoes) {
  judge(measure([&](WatchedTwin& watched) {
    const Instant opens = watched.clock.now() + 1_s + Seconds{random_.uniform()};
    const Instant closes = opens + Seconds{log_uniform(random_, 0.3, 3)};
    const auto go_on = [&](Instant until) {
      while (watched.clock.now() < until) {
        if (random_.below(2) == 0) {
          watched.twin.run(any_load());
        } else {
          watched.twin.close_context();
        }
        watched.pass(std::min(Seconds{log_uniform(random_, 0.02, 0.5)}, until - watched.clock.now()));
      }
    };
    go_on(opens);
    const SpanId id = watched.open();
    const Joules before = watched.twin.true_energy();
    go_on(closes);
    const Joules truth = watched.twin.true_energy() - before;
    watched.close(id);
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
