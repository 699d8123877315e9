#include "profile/validation.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::profile {
namespace {

using Verdict = SumCheck::Verdict;
using namespace ergon::literals;

Row operation(const std::string& id, const std::string& name, Seconds time,
              std::optional<Joules> energy = std::nullopt) {
  Row row;
  row.subject = {Subject::Kind::operation, id, name, "", ""};
  row.condition.batch = 32;
  row.device = "GPU-1";
  row.time = time;
  row.energy = energy;
  return row;
}

Row network(Seconds time, std::optional<Joules> energy = std::nullopt) {
  Row row = operation("net", "net", time, energy);
  row.subject.kind = Subject::Kind::network;
  return row;
}

// Two convolutions of 1 ms and three activations of 0.5 ms: 3.5 ms.
DatasetContents contents(const Row& whole) {
  return {.rows = {operation("c", "conv", 1_ms, 0.3_J), operation("r", "relu", 0.5_ms, 0.1_J), whole},
          .compositions = {{"net", 32, graph::Mode::inference, {{"c", 2}, {"r", 3}}}}};
}

SumCheck only(const DatasetContents& all) {
  const Validation validation = validate(all, {});
  EXPECT_EQ(validation.checks.size(), 1u);
  return validation.checks.at(0);
}

TEST(Validation, TheSumAgreesWithTheNetwork) {
  const SumCheck check = only(contents(network(3.4_ms, 0.9_J)));
  EXPECT_EQ(check.verdict, Verdict::agrees);
  EXPECT_EQ(check.parts, 2);
  EXPECT_EQ(check.missing, 0);
  EXPECT_NEAR(check.summed_time.si(), 3.5e-3, 1e-12);
  EXPECT_NEAR(check.summed_energy->si(), 0.9, 1e-12);
  EXPECT_NEAR(check.time_error(), 0.1 / 3.4, 1e-9);
  EXPECT_NEAR(*check.energy_error(), 0, 1e-9);
  EXPECT_EQ(check.explanation,
            "sum of 2 operations: 3.5 ms, 900 mJ; network: 3.4 ms, 900 mJ; difference +2.9 % (time), +0.0 % "
            "(energy)");
  EXPECT_EQ(only(contents(network(3.4_ms))).explanation,
            "sum of 2 operations: 3.5 ms; network: 3.4 ms; difference +2.9 %");
}

TEST(Validation, OverlapNamesTheLargestOperations) {
  Row whole = network(2.5_ms);
  whole.host_time = 0.4_ms;
  const SumCheck check = only(contents(whole));
  EXPECT_EQ(check.verdict, Verdict::overlap);
  EXPECT_EQ(check.explanation,
            "the network takes less time than its operations: sum 3.5 ms, network 2.5 ms (host: 400 us); "
            "operations "
            "overlap or reuse cached data; largest: conv (2 ms) and relu (1.5 ms)");
}

TEST(Validation, DetectsAHiddenCost) {
  const SumCheck check = only(contents(network(5_ms)));
  EXPECT_EQ(check.verdict, Verdict::hidden_cost);
  EXPECT_EQ(check.explanation,
            "the network takes 5 ms, 1.5 ms more than its operations one by one (3.5 ms): a cost that single "
            "operations do not show; largest: conv (2 ms) and relu (1.5 ms)");
}

TEST(Validation, DetectsHostBoundNetworks) {
  Row whole = network(2.2_ms);
  whole.host_time = 2.1_ms;
  EXPECT_EQ(only(contents(whole)).verdict, Verdict::host_bound);
  EXPECT_EQ(
      only(contents(whole)).explanation,
      "host-bound: launching an iteration takes 2.1 ms of 2.2 ms; the sum of its operations (3.5 ms) is "
      "1.6 times as long");
  whole.time = whole.host_time = 5_ms;
  EXPECT_EQ(
      only(contents(whole)).explanation,
      "host-bound: launching an iteration takes 5 ms of 5 ms; the sum of its operations (3.5 ms) is 1.5 ms "
      "shorter");

  DatasetContents replayed = contents(network(2.2_ms));
  replayed.rows[0].host_time = 1_ms;
  replayed.rows[1].host_time = 0.5_ms;
  EXPECT_EQ(only(replayed).verdict, Verdict::host_bound);
  EXPECT_EQ(
      only(replayed).explanation,
      "host-bound operations: launching them one by one takes 3.5 ms of 3.5 ms in sum; largest: conv (2 ms) "
      "and relu (1.5 ms); the network takes 2.2 ms");
}

TEST(Validation, EnergyAffectsTheVerdict) {
  const SumCheck more = only(contents(network(3.5_ms, 0.6_J)));
  EXPECT_EQ(more.verdict, Verdict::overlap);
  EXPECT_EQ(
      more.explanation,
      "times agree (+0.0 %), energies do not: sum 900 mJ, network 600 mJ (+50.0 %): operations draw more "
      "power alone than in the network");
  EXPECT_EQ(only(contents(network(3.5_ms, 1.2_J))).verdict, Verdict::hidden_cost);
  DatasetContents partly = contents(network(3.5_ms, 0.6_J));
  partly.rows[1].energy.reset();
  EXPECT_FALSE(only(partly).summed_energy);
  EXPECT_EQ(only(partly).verdict, Verdict::agrees);
}

TEST(Validation, MissingOperationsAreIncomplete) {
  DatasetContents all = contents(network(3.5_ms));
  all.rows[1].status = Status::out_of_memory;
  const SumCheck check = only(all);
  EXPECT_EQ(check.verdict, Verdict::incomplete);
  EXPECT_EQ(check.missing, 1);
  EXPECT_EQ(check.explanation,
            "1 of 2 operations not measured (relu): sum of the others 2 ms, network 3.5 ms");
  all.compositions.clear();
  EXPECT_EQ(only(all).verdict, Verdict::incomplete);
  EXPECT_EQ(only(all).explanation, "the composition of the network is not in the dataset");
  EXPECT_EQ(validate(all, {}).large.networks, 0);
}

TEST(Validation, UsesOnlyOperationsWithTheSameCondition) {
  const auto missing = [](auto change) {
    DatasetContents all = contents(network(3.5_ms));
    change(all.rows[0]);
    return only(all).missing;
  };
  EXPECT_EQ(missing([](Row&) {}), 0);
  EXPECT_EQ(missing([](Row& row) { row.repeat = 3; }), 0);
  EXPECT_EQ(missing([](Row& row) { row.condition.batch = 16; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.condition.mode = graph::Mode::training; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.condition.precision = device::Precision::fp16; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.condition.layout = Layout::nhwc; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.launch = Launch::replay; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.requested_clock = 1_GHz; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.device = "GPU-2"; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.time.reset(); }), 1);
}

TEST(Validation, UsesTheMedianOfRepeats) {
  DatasetContents all = contents(network(3.5_ms));
  for (const std::int64_t repeat : {1, 2}) {
    Row again = operation("c", "conv", repeat == 1 ? 9_ms : 1.2_ms, 0.2_J);
    again.repeat = repeat;
    all.rows.push_back(again);
  }
  const SumCheck check = only(all);
  EXPECT_NEAR(check.summed_time.si(), 2 * 1.2e-3 + 1.5e-3, 1e-12);
  EXPECT_NEAR(check.summed_energy->si(), 2 * 0.2 + 0.3, 1e-12);
}

TEST(Validation, DeviationsAreCorrelatedWithinAnOperation) {
  DatasetContents all = contents(network(3.5_ms, 0.9_J));
  all.rows[0].time_deviation = 0.02_ms;
  all.rows[1].time_deviation = 0.01_ms;
  all.rows[0].energy_statistical = 0.0196_J;
  all.rows[1].energy_statistical = 0.00196_J;
  all.rows[2].energy_statistical = 0.0392_J;
  const SumCheck check = only(all);
  EXPECT_NEAR(check.summed_time_deviation->si(), std::hypot(0.04e-3, 0.03e-3), 1e-12);
  EXPECT_NEAR(check.summed_energy_deviation->si(), std::hypot(0.02, 0.003), 1e-12);
  EXPECT_NEAR(check.measured_energy_deviation->si(), 0.02, 1e-12);
  all.rows[1].time_deviation.reset();
  EXPECT_FALSE(only(all).summed_time_deviation);
}

TEST(Validation, AccuracyIsTheMedianOfCompleteValidChecks) {
  DatasetContents all;
  const auto add = [&](std::int64_t batch, Seconds time, bool valid) {
    DatasetContents one = contents(network(time, 0.9_J));
    for (Row& row : one.rows) {
      row.condition.batch = batch;
      if (row.subject.kind == Subject::Kind::network) row.valid = valid;
      all.rows.push_back(row);
    }
    one.compositions[0].batch = batch;
    all.compositions.push_back(one.compositions[0]);
  };
  add(32, 3.5_ms, true);
  add(33, 2.5_ms, true);   // +40 %
  add(34, 7_ms, true);     // -50 %
  add(35, 0.1_ms, false);  // ignored
  add(1, 1.75_ms, true);   // +100 %
  all.rows.push_back(network(9_ms));
  all.rows.back().condition.batch = 99;  // without operations
  const Validation validation = validate(all, {});
  EXPECT_EQ(validation.checks.size(), 6u);
  EXPECT_EQ(validation.large.networks, 3);
  EXPECT_NEAR(*validation.large.median_time_error, 0.4, 1e-9);
  EXPECT_NEAR(*validation.large.worst_time_error, 0.5, 1e-9);
  EXPECT_NEAR(*validation.large.worst_energy_error, 0, 1e-9);
  EXPECT_EQ(validation.small.networks, 1);
  EXPECT_NEAR(*validation.small.median_time_error, 1, 1e-9);
  EXPECT_FALSE(validate({}, {}).large.median_time_error);
}

TEST(Validation, RepeatsCountOnceInTheAccuracy) {
  // Three exact repeats, and another network 40 % off: the median of the two is 20 %, not 0.
  DatasetContents all = contents(network(3.5_ms));
  for (std::int64_t repeat = 1; repeat <= 2; ++repeat) {
    Row again = network(3.5_ms);
    again.repeat = repeat;
    all.rows.push_back(again);
  }
  Row other = network(2.5_ms);
  other.subject.id = other.subject.name = "other";
  all.rows.push_back(other);
  all.compositions.push_back(all.compositions.front());
  all.compositions.back().network = "other";
  const SumAccuracy agreement = validate(all, {}).large;
  EXPECT_EQ(agreement.networks, 2);
  EXPECT_NEAR(*agreement.median_time_error, 0.2, 1e-9);
}

TEST(Validation, FailedNetworksAreNotChecked) {
  Row failed = network(1_ms);
  failed.status = Status::failed;
  EXPECT_TRUE(validate(contents(failed), {}).checks.empty());
}

TEST(Validation, ClaimIsAboutLargeBatches) {
  ValidationOptions options;
  const auto claim = [&](const DatasetContents& all) { return claim_of(validate(all, options), options); };
  EXPECT_EQ(claim(contents(network(3.5_ms))), SumClaim::holds);
  EXPECT_EQ(claim(contents(network(5_ms))), SumClaim::exceeded);
  EXPECT_EQ(claim(contents(network(3.5_ms, 0.6_J))), SumClaim::exceeded) << "energy";
  DatasetContents incomplete = contents(network(3.5_ms));
  incomplete.compositions.clear();
  EXPECT_EQ(claim(incomplete), SumClaim::incomplete);
  options.large_batch = 1000;
  EXPECT_EQ(claim(contents(network(5_ms))), SumClaim::holds) << "no network at a large batch";
}

}  // namespace
}  // namespace ergon::profile
