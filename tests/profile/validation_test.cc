#include "profile/validation.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::profile {
namespace {

using Reading = SumCheck::Reading;
using namespace ergon::literals;

Row operation(const std::string& id, const std::string& name, Seconds time,
              std::optional<Joules> energy = std::nullopt) {
  Row row;
  row.subject = {Subject::What::operation, id, name, "", ""};
  row.condition.batch = 32;
  row.device = "GPU-1";
  row.time = time;
  row.energy = energy;
  return row;
}

Row network(Seconds time, std::optional<Joules> energy = std::nullopt) {
  Row row = operation("net", "net", time, energy);
  row.subject.what = Subject::What::network;
  return row;
}

// Two convolutions of 1 ms and three activations of 0.5 ms: 3.5 ms.
Contents contents(const Row& whole) {
  return {.rows = {operation("c", "conv", 1_ms, 0.3_J), operation("r", "relu", 0.5_ms, 0.1_J), whole},
          .compositions = {{"net", 32, graph::Mode::inference, {{"c", 2}, {"r", 3}}}}};
}

SumCheck only(const Contents& all) {
  const Validation validation = validate(all, {});
  EXPECT_EQ(validation.checks.size(), 1u);
  return validation.checks.at(0);
}

TEST(Validation, SumsAgreeWithTheWhole) {
  const SumCheck check = only(contents(network(3.4_ms, 0.9_J)));
  EXPECT_EQ(check.reading, Reading::agrees);
  EXPECT_EQ(check.parts, 2);
  EXPECT_EQ(check.missing, 0);
  EXPECT_NEAR(check.summed_time.si(), 3.5e-3, 1e-12);
  EXPECT_NEAR(check.summed_energy->si(), 0.9, 1e-12);
  EXPECT_NEAR(check.time_error(), 0.1 / 3.4, 1e-9);
  EXPECT_NEAR(*check.energy_error(), 0, 1e-9);
  EXPECT_EQ(
      check.explanation,
      "the sum of 2 operations takes 3.5 ms and 900 mJ, the whole 3.4 ms and 900 mJ: +2.9 % of time and "
      "+0.0 % of energy");
  EXPECT_EQ(only(contents(network(3.4_ms))).explanation,
            "the sum of 2 operations takes 3.5 ms, the whole 3.4 ms: +2.9 %");
}

TEST(Validation, AnOverlapNamesWhatMakesUpTheSum) {
  Row whole = network(2.5_ms);
  whole.host_time = 0.4_ms;
  const SumCheck check = only(contents(whole));
  EXPECT_EQ(check.reading, Reading::overlap);
  EXPECT_EQ(
      check.explanation,
      "the operations take 3.5 ms one by one, the whole 2.5 ms and the host needs only 400 us: operations "
      "overlap, or find in caches what the one before left there; most of the sum is conv (2 ms) and relu "
      "(1.5 ms)");
}

TEST(Validation, AHiddenCostIsNamed) {
  const SumCheck check = only(contents(network(5_ms)));
  EXPECT_EQ(check.reading, Reading::hidden_cost);
  EXPECT_EQ(
      check.explanation,
      "the whole takes 5 ms, which is 1.5 ms more than its operations one by one (3.5 ms): something costs "
      "time that none of them shows alone; most of the sum is conv (2 ms) and relu (1.5 ms)");
}

TEST(Validation, AWaitingGpuIsTheHostsDoing) {
  Row whole = network(2.2_ms);
  whole.host_time = 2.1_ms;
  EXPECT_EQ(only(contents(whole)).reading, Reading::host_bound);
  EXPECT_EQ(only(contents(whole)).explanation,
            "the host needs 2.1 ms to ask for an iteration of 2.2 ms: the GPU waits, and the sum of its "
            "operations (3.5 ms) counts that waiting 1.6 times");
  whole.time = whole.host_time = 5_ms;
  EXPECT_EQ(
      only(contents(whole)).explanation,
      "the host needs 5 ms to ask for an iteration of 5 ms: the GPU waits, and the sum of its operations "
      "(3.5 ms) leaves 1.5 ms of that out");

  Contents replayed = contents(network(2.2_ms));
  replayed.rows[0].host_time = 1_ms;
  replayed.rows[1].host_time = 0.5_ms;
  EXPECT_EQ(only(replayed).reading, Reading::host_bound);
  EXPECT_EQ(
      only(replayed).explanation,
      "the host needs 3.5 ms to ask for the operations one by one, which take 3.5 ms in sum: the GPU waits "
      "for it in most of them, above all in conv (2 ms) and relu (1.5 ms), while the whole takes 2.2 ms");
}

TEST(Validation, EnergyCountsToo) {
  const SumCheck more = only(contents(network(3.5_ms, 0.6_J)));
  EXPECT_EQ(more.reading, Reading::overlap);
  EXPECT_EQ(
      more.explanation,
      "times agree (+0.0 %), but the operations need 900 mJ in sum and the whole 600 mJ (+50.0 %): alone "
      "each of them draws more power than among the others");
  EXPECT_EQ(only(contents(network(3.5_ms, 1.2_J))).reading, Reading::hidden_cost);
  Contents partly = contents(network(3.5_ms, 0.6_J));
  partly.rows[1].energy.reset();
  EXPECT_FALSE(only(partly).summed_energy);
  EXPECT_EQ(only(partly).reading, Reading::agrees);
}

TEST(Validation, MissingOperationsMakeItIncomplete) {
  Contents all = contents(network(3.5_ms));
  all.rows[1].status = Status::out_of_memory;
  const SumCheck check = only(all);
  EXPECT_EQ(check.reading, Reading::incomplete);
  EXPECT_EQ(check.missing, 1);
  EXPECT_EQ(check.explanation,
            "1 of 2 operations not measured (relu): the others take 2 ms in sum, the whole 3.5 ms");
  all.compositions.clear();
  EXPECT_EQ(only(all).reading, Reading::incomplete);
  EXPECT_EQ(only(all).explanation, "which operations it consists of is not known");
  EXPECT_EQ(validate(all, {}).large.networks, 0);
}

TEST(Validation, OperationsCountOnlyIfTheyWereRunAsTheNetworkWas) {
  const auto missing = [](auto change) {
    Contents all = contents(network(3.5_ms));
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
  EXPECT_EQ(missing([](Row& row) { row.clock_asked = 1_GHz; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.device = "GPU-2"; }), 1);
  EXPECT_EQ(missing([](Row& row) { row.time.reset(); }), 1);
}

TEST(Validation, OfRepeatsTheMedianCounts) {
  Contents all = contents(network(3.5_ms));
  for (const std::int64_t repeat : {1, 2}) {
    Row again = operation("c", "conv", repeat == 1 ? 9_ms : 1.2_ms, 0.2_J);
    again.repeat = repeat;
    all.rows.push_back(again);
  }
  const SumCheck check = only(all);
  EXPECT_NEAR(check.summed_time.si(), 2 * 1.2e-3 + 1.5e-3, 1e-12);
  EXPECT_NEAR(check.summed_energy->si(), 2 * 0.2 + 0.3, 1e-12);
}

TEST(Validation, DeviationsAddWithinAPartAndAreIndependentBetweenParts) {
  Contents all = contents(network(3.5_ms, 0.9_J));
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

TEST(Validation, AgreementIsTheMedianOverCompleteValidChecksByBatch) {
  Contents all;
  const auto add = [&](std::int64_t batch, Seconds time, bool valid) {
    Contents one = contents(network(time, 0.9_J));
    for (Row& row : one.rows) {
      row.condition.batch = batch;
      if (row.subject.what == Subject::What::network) row.valid = valid;
      all.rows.push_back(row);
    }
    one.compositions[0].batch = batch;
    all.compositions.push_back(one.compositions[0]);
  };
  add(32, 3.5_ms, true);
  add(33, 2.5_ms, true);   // +40 %
  add(34, 7_ms, true);     // -50 %
  add(35, 0.1_ms, false);  // takes no part
  add(1, 1.75_ms, true);   // +100 %
  all.rows.push_back(network(9_ms));
  all.rows.back().condition.batch = 99;  // of which nothing is known
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

TEST(Validation, WhatWasRepeatedCountsOnceInTheAgreement) {
  // Exact three times over, and another network 40 % off: the median of the two is 20 %, not 0.
  Contents all = contents(network(3.5_ms));
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
  const Agreement agreement = validate(all, {}).large;
  EXPECT_EQ(agreement.networks, 2);
  EXPECT_NEAR(*agreement.median_time_error, 0.2, 1e-9);
}

TEST(Validation, FailedNetworksAreNotChecked) {
  Row failed = network(1_ms);
  failed.status = Status::failed;
  EXPECT_TRUE(validate(contents(failed), {}).checks.empty());
}

}  // namespace
}  // namespace ergon::profile
