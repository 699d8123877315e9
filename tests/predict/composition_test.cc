#include "predict/composition.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "device/twin/load.h"
#include "device/twin/steady.h"
#include "predict/some_jobs.h"

namespace ergon::predict {
namespace {

using namespace literals;
using device::Precision;
using graph::Mode;

const Kind kInferenceKind{Mode::inference, Precision::tf32};
const Kind kTrainingKind{Mode::training, Precision::tf32};

Watts idle_of(const device::Specification& gpu) {
  return device::resident_power(gpu, gpu.core.most, gpu.thermal.ambient);
}

Part part(double count, Seconds settled, Watts power, Seconds host) {
  Part made;
  made.count = count;
  made.settled = settled;
  made.settled_power = power;
  made.host = host;
  return made;
}

TEST(Believed, OperationsThatKeepTheDeviceBusyAreTrusted) {
  const Trust trust{0.8, 0.5};
  EXPECT_NEAR(believed(part(1, 10_ms, 100_W, 1_us), trust), 0.8, 1e-6);
  EXPECT_NEAR(believed(part(1, 1_us, 100_W, 10_ms), trust), 0.8 * 0.5, 1e-6);
  EXPECT_NEAR(believed(part(1, 1_ms, 100_W, 0.5_ms), trust), 0.8 * (1 - 0.5 / 16), 1e-12);
  EXPECT_EQ(believed(part(1, 0_s, 0_W, 0_s), trust), 0.8);
}

TEST(Believed, FallsAsTheHostTakesLonger) {
  double last = 2;
  for (double host = 1e-6; host < 1e-4; host *= 1.5) {
    const double now = believed(part(1, 100_us, 100_W, Seconds{host}), {1, 1});
    EXPECT_LT(now, last);
    last = now;
  }
  EXPECT_EQ(believed(part(1, 100_us, 100_W, 100_us), {1, 1}), 0);
  EXPECT_EQ(believed(part(1, 100_us, 100_W, 1_ms), {1, 1}), 0);
}

// A library may take a hundred times as long as physics says; that is no waiting.
TEST(Believed, WhatTakesFarLongerThanItsHostDoesNotWaitForIt) {
  Part slow = part(1, 10_us, 100_W, 40_us);
  EXPECT_EQ(believed(slow, {1, 1}), 0);
  slow.time_ratio = std::log(80.0);
  EXPECT_GT(believed(slow, {1, 1}), 0.99);
  EXPECT_NEAR(sums_of(std::vector{slow}, {1, 1}).kernels.si(), 800e-6, 4e-6);
  slow.time_ratio = -1;
  EXPECT_EQ(believed(slow, {1, 1}), 0) << "what is faster still waits";
}

TEST(Believed, OperationsThatWereSeenAreBelievedWhateverTheTrust) {
  Part seen = part(1, 10_ms, 100_W, 1_us);
  seen.seen = true;
  EXPECT_NEAR(believed(seen, {0.6, 0}), 1, 1e-9);
  seen.host = 20_ms;
  for (const Trust trust : {Trust{0.6, 0}, Trust{0.6, 0.3}, Trust{1, 1}}) {
    Part strange = seen;
    strange.seen = false;
    EXPECT_NEAR(believed(seen, trust), 1 - trust.waiting, 1e-9) << "it was seen waiting";
    EXPECT_GE(believed(seen, trust), believed(strange, trust));
  }
}

TEST(KnownShare, IsThatOfTheTime) {
  std::vector<Part> parts{part(3, 1_ms, 100_W, 0_s), part(1, 1_ms, 100_W, 0_s)};
  EXPECT_EQ(known_share(parts, {1, 0}), 0);
  parts[0].seen = true;
  EXPECT_NEAR(known_share(parts, {1, 0}), 0.75, 1e-12);
  parts[1].time_ratio = std::log(3.0);
  EXPECT_NEAR(known_share(parts, {1, 0}), 0.5, 1e-12);
  parts[1].time_ratio = 1e4;
  EXPECT_EQ(known_share(parts, {1, 0}), 0) << "of what never ends nothing is known";
  EXPECT_EQ(known_share({}, {1, 0}), 0);
}

// Alone it took 100 us, of which its kernels need 10; a device that idles draws 50 W.
TEST(SumsOf, WhatWasDrawnBeyondAnIdleDeviceIsTheOperations) {
  Part waits = part(2, 10_us, 100_W, 100_us);
  waits.seen = true;
  waits.time_ratio = std::log(10.0);
  waits.power_ratio = std::log(0.6);
  EXPECT_NEAR(sums_of(std::vector{waits}, {1, 1}).energy.si(), 2 * 60 * 10e-6, 1e-9) << "no idle power known";
  waits.idle = 50_W;
  const Sums sums = sums_of(std::vector{waits}, {1, 1});
  EXPECT_NEAR(sums.kernels.si(), 20e-6, 1e-12);
  EXPECT_NEAR(sums.energy.si(), 2 * (60 * 100e-6 - 50 * 90e-6), 1e-9);
  waits.idle = 70_W;
  EXPECT_NEAR(sums_of(std::vector{waits}, {1, 1}).energy.si(), 2 * 60 * 10e-6, 1e-9) << "never below its own";
}

TEST(SumsOf, CountEveryOccurrence) {
  std::vector<Part> parts{part(3, 2_ms, 100_W, 20_us), part(1, 1_ms, 200_W, 30_us)};
  const Sums plain = sums_of(parts, {1, 0});
  EXPECT_NEAR(plain.kernels.si(), 7e-3, 1e-15);
  EXPECT_NEAR(plain.host.si(), 90e-6, 1e-15);
  EXPECT_NEAR(plain.energy.si(), 6e-3 * 100 + 1e-3 * 200, 1e-12);
  parts[0].time_ratio = std::log(1.5);
  parts[1].power_ratio = std::log(0.5);
  const Sums learned = sums_of(parts, {1, 0});
  EXPECT_NEAR(learned.kernels.si(), 10e-3, 1e-12);
  EXPECT_NEAR(learned.host.si(), 90e-6, 1e-15);
  EXPECT_NEAR(learned.energy.si(), 9e-3 * 100 + 1e-3 * 100, 1e-9);
  EXPECT_NEAR(sums_of(parts, {0, 0}).kernels.si(), plain.kernels.si(), 1e-15);
}

TEST(WholeOf, WithoutAHostToWaitForIsItsKernels) {
  const auto gpu = test::roomy();
  const Whole whole = whole_of({10_ms, 1_us, 1_J}, {}, {}, gpu);
  EXPECT_NEAR(whole.time.si(), 10e-3, 1e-9);
  EXPECT_NEAR(whole.power.si(), 100, 1e-6);
  EXPECT_NEAR(whole.energy.si(), 1, 1e-6);
  EXPECT_FALSE(whole.waits());
}

TEST(WholeOf, ANetworkThatWaitsDrawsLess) {
  const auto gpu = test::roomy();
  const Whole whole = whole_of({1_ms, 10_ms, 0.1_J}, {}, {}, gpu);
  EXPECT_TRUE(whole.waits());
  EXPECT_NEAR(whole.time.si(), 10e-3, 1e-9);
  EXPECT_NEAR(whole.power.si(), 0.1 * 100 + 0.9 * idle_of(gpu).si(), 1e-6);
  Corrections hot;
  hot.waiting = std::log(2.0);
  EXPECT_NEAR(whole_of({1_ms, 10_ms, 0.1_J}, {}, hot, gpu).power.si(), 0.1 * 100 + 1.8 * idle_of(gpu).si(),
              1e-6);
}

TEST(WholeOf, FactorsAreAppliedToWhatTheyAreOf) {
  const auto gpu = test::roomy();
  const Whole busy = whole_of({10_ms, 1_us, 1_J}, {std::log(1.2), 0, std::log(0.9)}, {}, gpu);
  EXPECT_NEAR(busy.time.si(), 12e-3, 1e-9);
  EXPECT_NEAR(busy.power.si(), 90, 1e-6);
  const Whole waits = whole_of({1_us, 10_ms, 1_mJ}, {std::log(1.2), std::log(0.5), 0}, {}, gpu);
  EXPECT_NEAR(waits.time.si(), 5e-3, 1e-9);
}

TEST(WholeOf, NeverDrawsMoreThanTheLimitOrWhatWasSeen) {
  const auto gpu = test::gpu_called("a30");
  EXPECT_EQ(whole_of({1_ms, 0_s, 10_J}, {}, {}, gpu).power, gpu.limit.usual);
  Corrections seen;
  seen.ceiling = gpu.limit.usual + 20_W;
  EXPECT_EQ(whole_of({1_ms, 0_s, 10_J}, {}, seen, gpu).power, seen.ceiling);
  const Whole whole = whole_of({1_ms, 0_s, 10_J}, {}, seen, gpu);
  EXPECT_EQ(whole.energy, whole.power * whole.time);
}

TEST(WholeOf, NothingTakesNothing) {
  const Whole whole = whole_of({}, {}, {}, test::roomy());
  EXPECT_EQ(whole.time, 0_s);
  EXPECT_EQ(whole.energy, 0_J);
}

TEST(Corrections, OfAKindThatWasNotSeenAreThoseOfTheNearest) {
  Corrections corrections;
  corrections.kinds[{Mode::inference, Precision::fp32}] = {1, 0, 0};
  corrections.kinds[{Mode::inference, Precision::bf16}] = {2, 0, 0};
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32}).kernels, 1);
  EXPECT_EQ(corrections.of({Mode::inference, Precision::tf32}).kernels, 1);
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp16}).kernels, 2);
  EXPECT_EQ(corrections.of({Mode::training, Precision::fp32}), Correction{});
  corrections.kinds.erase({Mode::inference, Precision::bf16});
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp16}).kernels, 1);
  EXPECT_EQ(Corrections{}.of(kInferenceKind), Correction{});
}

TEST(Corrections, OfTheSameHostComeFirst) {
  Corrections corrections;
  corrections.kinds[{Mode::inference, Precision::fp32, Host::native}] = {1, 0, 0};
  corrections.kinds[{Mode::inference, Precision::bf16, Host::python}] = {2, 0, 0};
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32, Host::native}).kernels, 1);
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32, Host::python}).kernels, 2);
  corrections.kinds.erase({Mode::inference, Precision::bf16, Host::python});
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32, Host::python}).kernels, 1);
}

TEST(Corrections, OfAHostThatIsAlikeComeBeforeOthers) {
  Corrections corrections;
  const auto kind = [](Host host, device::Precision precision) {
    return Kind{graph::Mode::inference, precision, host};
  };
  corrections.kinds[kind(Host::python, device::Precision::tf32)].host = 1;
  corrections.kinds[kind(Host::native, device::Precision::bf16)].host = 2;
  EXPECT_EQ(corrections.of(kind(Host::transformers, device::Precision::bf16)).host, 1);
  EXPECT_EQ(corrections.of(kind(Host::native, device::Precision::tf32)).host, 2);
  corrections.kinds[kind(Host::transformers, device::Precision::tf32)].host = 3;
  EXPECT_EQ(corrections.of(kind(Host::transformers, device::Precision::bf16)).host, 3);
}

TEST(WholeOf, SortsAreShiftedByThemselves) {
  const auto gpu = test::roomy();
  const Sums sums{10_ms, 1_us, 1_J, {4_ms, 0.6_J}, {3_ms, 0.1_J}};
  const Whole whole = whole_of(sums, {0, 0, 0, std::log(1.5), std::log(0.5)}, {}, gpu);
  EXPECT_NEAR(whole.time.si(), 10e-3 + 2e-3 - 1.5e-3, 1e-9);
  EXPECT_NEAR(whole.energy.si(), 1 + 0.3 - 0.05, 1e-6);
}

TEST(SumsOf, KnowHowMuchOfThemIsOfWhichSort) {
  std::vector<Part> parts{part(1, 4_ms, 100_W, 0_s), part(2, 2_ms, 100_W, 0_s), part(1, 1_ms, 100_W, 0_s)};
  parts[0].sort = Sort::convolution;
  parts[1].sort = Sort::product;
  parts[2].sort = Sort::move;
  parts[2].shift = 5;
  parts.push_back(part(1, 3_ms, 100_W, 0_s));
  parts[3].sort = Sort::turned;
  const Sums sums = sums_of(parts, {1, 0});
  EXPECT_NEAR(sums.turned.kernels.si(), 3e-3, 1e-15);
  EXPECT_NEAR(sums.kernels.si(), 12e-3, 1e-15) << "shifts are what sums are compared for";
  EXPECT_NEAR(sums.products.kernels.si(), 4e-3, 1e-15);
  EXPECT_NEAR(sums.moves.energy.si(), 0.1, 1e-12);
}

// Networks of which half are products, in wildly different shares, each a quarter faster than alone.
TEST(FitCorrections, TellsSortsApartWhereThereAreEnoughNetworks) {
  const auto gpu = test::roomy();
  const Correction truth{0, 0, 0, std::log(0.75), 0};
  Random random(3);
  std::vector<Observation> observations;
  for (int i = 0; i < 40; ++i) {
    const double share = random.uniform();
    const Sums sums{10_ms, 1_us, 1_J, {10_ms * share, 1_J * share}, {10_ms * (1 - share) / 2, 0.2_J}};
    const Whole whole = whole_of(sums, truth, {}, gpu);
    observations.push_back({std::to_string(i), kInferenceKind, sums, whole.time, whole.power});
  }
  const Corrections found = fit_corrections(observations, gpu);
  for (const Observation& each : observations) {
    const Whole whole = whole_of(each.sums, found.of(kInferenceKind), found, gpu);
    EXPECT_NEAR((whole.time / each.time).si(), 1, 0.04) << "one factor for all would be off by up to 0.15";
  }
  EXPECT_LT(found.of(kInferenceKind).products, -0.15);
  observations.resize(10);
  EXPECT_EQ(fit_corrections(observations, gpu).of(kInferenceKind).products, 0) << "ten say nothing of sorts";
}

// Six networks of 36 filter images that lie turned, which takes them twice as long as alone.
TEST(FitCorrections, FindsWhatTurnedImagesCost) {
  const auto gpu = test::roomy();
  const Correction truth{0, 0, 0, 0, 0, std::log(2.0)};
  std::vector<Observation> observations;
  for (int i = 0; i < 36; ++i) {
    Sums sums{10_ms, 1_us, 1_J, {}, {}, {}};
    if (i % 6 == 0) sums.turned = {4_ms, 0.4_J};
    const Whole whole = whole_of(sums, truth, {}, gpu);
    EXPECT_NEAR(whole.time.si(), i % 6 == 0 ? 14e-3 : 10e-3, 1e-6);
    observations.push_back({std::to_string(i), kInferenceKind, sums, whole.time, whole.power});
  }
  EXPECT_NEAR(fit_corrections(observations, gpu).of(kInferenceKind).turned, truth.turned, 0.15);
  for (Observation& each : observations) each.sums.turned = {};
  EXPECT_EQ(fit_corrections(observations, gpu).of(kInferenceKind).turned, 0) << "nothing is known of them";
}

// Networks from those that wait most of the time to those that never do.
std::vector<Observation> synthetic(const std::map<Kind, Correction>& truth, double waiting,
                                   const device::Specification& gpu, std::size_t each, double noise = 0) {
  Random random(8);
  Corrections all;
  all.waiting = waiting;
  std::vector<Observation> observations;
  for (const auto& [kind, correction] : truth) {
    for (std::size_t i = 0; i < each; ++i) {
      const Seconds kernels{1e-3 * std::exp(6 * random.uniform() - 3)};
      const Watts power{60 + 100 * random.uniform()};
      const Sums sums{kernels, Seconds{1e-3 * (0.5 + random.uniform())}, power * kernels};
      const Whole whole = whole_of(sums, correction, all, gpu);
      const auto shaken = [&] { return std::exp(noise * (2 * random.uniform() - 1)); };
      observations.push_back(
          {"net" + std::to_string(i), kind, sums, whole.time * shaken(), whole.power * shaken()});
    }
  }
  return observations;
}

TEST(FitCorrections, RecoversFactorsFromManyNetworks) {
  const auto gpu = test::roomy();
  const std::map<Kind, Correction> truth{{kInferenceKind, {0.25, -0.4, -0.15}},
                                         {kTrainingKind, {-0.1, 0.3, 0.1}}};
  for (const double noise : {0.0, 0.03}) {
    const Corrections found = fit_corrections(synthetic(truth, 0.3, gpu, 50, noise), gpu);
    ASSERT_EQ(found.kinds.size(), 2U);
    for (const auto& [kind, correction] : truth) {
      EXPECT_NEAR(found.of(kind).kernels, correction.kernels, 0.02);
      EXPECT_NEAR(found.of(kind).host, correction.host, 0.03);
      EXPECT_NEAR(found.of(kind).power, correction.power, 0.03);
    }
    EXPECT_NEAR(found.waiting, 0.3, 0.11);
  }
}

TEST(FitCorrections, WithoutAnythingToCorrectStaysAtNothing) {
  const auto gpu = test::roomy();
  const Corrections found = fit_corrections(synthetic({{kInferenceKind, {}}}, 0, gpu, 30), gpu);
  EXPECT_NEAR(found.of(kInferenceKind).kernels, 0, 0.005);
  EXPECT_NEAR(found.of(kInferenceKind).host, 0, 0.005);
  EXPECT_NEAR(found.of(kInferenceKind).power, 0, 0.005);
  EXPECT_NEAR(found.waiting, 0, 0.05);
}

TEST(FitCorrections, WithoutNetworksHasNoneAtAll) {
  const Corrections none = fit_corrections({}, test::roomy());
  EXPECT_TRUE(none.kinds.empty());
  EXPECT_EQ(none.waiting, 0);
  EXPECT_EQ(none.ceiling, 0_W);
}

TEST(FitCorrections, OneNetworkIsBelievedLessThanMany) {
  const auto gpu = test::roomy();
  const auto many = synthetic({{kInferenceKind, {0.5, 0, 0}}}, 0, gpu, 40);
  // Of those one that keeps the device busy.
  std::vector<Observation> one;
  for (const Observation& each : many) {
    if (one.empty() && each.sums.kernels > each.sums.host * 4) one.push_back(each);
  }
  ASSERT_EQ(one.size(), 1U);
  const double few = fit_corrections(one, gpu).of(kInferenceKind).kernels;
  EXPECT_GT(few, 0.05);
  EXPECT_LT(few, 0.4);
  EXPECT_NEAR(fit_corrections(many, gpu).of(kInferenceKind).kernels, 0.5, 0.03);
}

// One host asks, however products are rounded: an odd network of one precision does not slow down the host.
TEST(FitCorrections, HostsAreAlikeWhateverTheNumbersUnlessManyNetworksSayOtherwise) {
  const auto gpu = test::roomy();
  const Kind plain{Mode::inference, Precision::fp32};
  const auto waiting = [&](const Kind& kind, std::size_t networks, double factor) {
    std::vector<Observation> observations;
    for (std::size_t i = 0; i < networks; ++i) {
      const Sums sums{1_us, Seconds{1e-3 * (1 + static_cast<double>(i))}, 1_mJ};
      observations.push_back({"net" + std::to_string(i), kind, sums, sums.host * factor, {}});
    }
    return observations;
  };
  auto few = waiting(kInferenceKind, 10, 1);
  const auto odd = waiting(plain, 1, 1.6);
  few.insert(few.end(), odd.begin(), odd.end());
  EXPECT_LT(fit_corrections(few, gpu).of(plain).host, 0.2);
  EXPECT_NEAR(fit_corrections(few, gpu).of(kInferenceKind).host, 0, 0.05);
  EXPECT_GT(fit_corrections(odd, gpu).of(plain).host, 0.3) << "where there is nobody else";
  auto many = waiting(kInferenceKind, 30, 1);
  const auto others = waiting(plain, 30, 1.6);
  many.insert(many.end(), others.begin(), others.end());
  EXPECT_NEAR(fit_corrections(many, gpu).of(plain).host, std::log(1.6), 0.05);
  EXPECT_NEAR(fit_corrections(many, gpu).of(kInferenceKind).host, 0, 0.05);
}

TEST(FitCorrections, NetworksThatNeverWaitSayNothingOfTheHost) {
  const auto gpu = test::roomy();
  std::vector<Observation> busy;
  for (const Observation& each : synthetic({{kInferenceKind, {0.2, 0.8, 0.1}}}, 0.5, gpu, 80)) {
    if (each.sums.kernels > each.sums.host * 8) busy.push_back(each);
  }
  ASSERT_GT(busy.size(), 5U);
  const Corrections found = fit_corrections(busy, gpu);
  EXPECT_NEAR(found.of(kInferenceKind).host, 0, 0.02);
  EXPECT_NEAR(found.of(kInferenceKind).kernels, 0.2, 0.05);
}

TEST(FitCorrections, NetworksWithoutPowerSayNothingOfPower) {
  const auto gpu = test::roomy();
  auto observations = synthetic({{kInferenceKind, {0.2, 0, 0.4}}}, 0, gpu, 30);
  for (Observation& each : observations) each.power.reset();
  const Corrections found = fit_corrections(observations, gpu);
  EXPECT_EQ(found.of(kInferenceKind).power, 0);
  EXPECT_EQ(found.ceiling, 0_W);
  EXPECT_NEAR(found.of(kInferenceKind).kernels, 0.2, 0.03);
}

TEST(FitCorrections, TheCeilingIsTheMostThatWasSeen) {
  const auto gpu = test::roomy();
  const auto observations = synthetic({{kInferenceKind, {}}}, 0, gpu, 30);
  Watts most;
  for (const Observation& each : observations) most = std::max(most, *each.power);
  EXPECT_EQ(fit_corrections(observations, gpu).ceiling, most);
}

}  // namespace
}  // namespace ergon::predict
