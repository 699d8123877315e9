#include "profile/validation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "base/statistics/quantile.h"
#include "profile/sum_explanation.h"

namespace ergon::profile {
namespace {

// Host-bound if launching takes at least this share of the time.
constexpr double kHostBound = 0.85;
// Half of a 95 % interval, in standard deviations.
constexpr double kDeviations = 1.96;

template <typename Quantity>
std::optional<Quantity> median_of(const std::vector<const Row*>& rows, std::optional<Quantity> Row::*member) {
  std::vector<double> values;
  for (const Row* row : rows) {
    if (row->*member) values.push_back((row->*member)->si());
  }
  const auto middle = statistics::median(values);
  return middle ? std::optional(Quantity{*middle}) : std::nullopt;
}

// One operation of the sum: for each quantity, the median of its repeats.
struct Term {
  Seconds time;
  std::optional<Seconds> time_deviation, host;
  std::optional<Joules> energy, energy_deviation;
};

Term term_of(const std::vector<const Row*>& repeats) {
  Term term{.time = *median_of(repeats, &Row::time),
            .time_deviation = median_of(repeats, &Row::time_deviation),
            .host = median_of(repeats, &Row::host_time),
            .energy = median_of(repeats, &Row::energy),
            .energy_deviation = median_of(repeats, &Row::energy_statistical)};
  if (term.energy_deviation) *term.energy_deviation /= kDeviations;
  return term;
}

// A sum that is absent if one of its terms is.
template <typename Quantity>
class Sum {
 public:
  void add(const std::optional<Quantity>& term, double count) {
    complete_ = complete_ && term.has_value();
    if (term) sum_ += count * *term;
  }
  std::optional<Quantity> total() const { return complete_ ? std::optional(sum_) : std::nullopt; }

 private:
  bool complete_ = true;
  Quantity sum_;
};

// Standard deviation of a sum of independent terms. All occurrences of an operation share one measurement, so
// their errors are fully correlated.
template <typename Quantity>
class DeviationOfSum {
 public:
  void add(const std::optional<Quantity>& deviation, double count) {
    complete_ = complete_ && deviation.has_value();
    if (deviation) squares_ += count * deviation->si() * count * deviation->si();
  }
  std::optional<Quantity> total() const {
    return complete_ ? std::optional(Quantity{std::sqrt(squares_)}) : std::nullopt;
  }

 private:
  bool complete_ = true;
  double squares_ = 0;
};

using CompositionKey = std::tuple<std::string, std::int64_t, graph::Mode>;

class MeasuredOperations {
 public:
  MeasuredOperations(const DatasetContents& contents, bool any_board) {
    if (any_board) products_ = contents.products;
    for (const Row& row : contents.rows) {
      if (row.subject.kind != Subject::Kind::operation) continue;
      names_.try_emplace(row.subject.id, row.subject.name);
      if (row.status == Status::measured && row.time) operations_[group_of(row.key())].push_back(&row);
    }
    for (const Composition& one : contents.compositions) {
      compositions_[{one.network, one.batch, one.mode}] = &one;
    }
  }

  const Composition* composition(const Key& network) const {
    const auto found = compositions_.find({network.subject, network.condition.batch, network.condition.mode});
    return found == compositions_.end() ? nullptr : found->second;
  }

  // The operation under the condition of the network.
  std::optional<Term> term(const std::string& operation, Key network) const {
    network.kind = Subject::Kind::operation;
    network.subject = operation;
    const auto found = operations_.find(group_of(std::move(network)));
    return found == operations_.end() ? std::nullopt : std::optional(term_of(found->second));
  }

  std::string name(const std::string& operation) const {
    const auto found = names_.find(operation);
    return found == names_.end() || found->second.empty() ? operation : found->second;
  }

 private:
  // The key that all repeats of an operation share.
  Key group_of(Key key) const {
    key.repeat = 0;
    if (const auto product = products_.find(key.device); product != products_.end())
      key.device = product->second;
    return key;
  }

  std::map<std::string, std::string> products_;  // empty: rows of other boards do not count
  std::map<Key, std::vector<const Row*>> operations_;
  std::map<std::string, std::string> names_;
  std::map<CompositionKey, const Composition*> compositions_;
};

// Sums the measured operations of the network.
void sum(SumCheck& check, SumDetails& details, const Composition& composition,
         const MeasuredOperations& measured) {
  Sum<Joules> energy;
  DeviationOfSum<Seconds> time_deviation;
  DeviationOfSum<Joules> energy_deviation;
  std::map<std::string, std::int64_t> counts;  // an operation may be listed twice
  for (const auto& part : composition.parts) counts[part.operation] += part.count;
  check.parts = static_cast<std::int64_t>(counts.size());
  for (const auto& [operation, occurrences] : counts) {
    const auto term = measured.term(operation, check.network);
    if (!term) {
      ++check.missing;
      details.missing.insert(measured.name(operation));
      continue;
    }
    const auto count = static_cast<double>(occurrences);
    check.summed_time += count * term->time;
    if (term->host) check.summed_host += count * *term->host;
    energy.add(term->energy, count);
    time_deviation.add(term->time_deviation, count);
    energy_deviation.add(term->energy_deviation, count);
    details.times[measured.name(operation)] += count * term->time;
  }
  if (check.missing == check.parts) return;
  check.summed_energy = energy.total();
  check.summed_time_deviation = time_deviation.total();
  if (check.summed_energy) check.summed_energy_deviation = energy_deviation.total();
}

SumCheck::Verdict verdict_of(const SumCheck& check, const SumDetails& details, double tolerance) {
  using Verdict = SumCheck::Verdict;
  if (check.parts == 0 || check.missing > 0) return Verdict::incomplete;
  const double time = check.time_error();
  const double energy = check.energy_error().value_or(0);
  if (std::abs(time) <= tolerance && std::abs(energy) <= tolerance) return Verdict::agrees;
  const bool waits = details.host && *details.host >= kHostBound * check.measured_time;
  const bool waits_between =
      check.summed_host > Seconds{0} && check.summed_host >= kHostBound * check.summed_time;
  if (waits || waits_between) return Verdict::host_bound;
  const double larger = std::abs(time) > tolerance ? time : energy;
  return larger > 0 ? Verdict::overlap : Verdict::hidden_cost;
}

SumCheck check_of(const Row& row, const MeasuredOperations& measured, double tolerance) {
  SumCheck check{.network = row.key(), .valid = row.valid, .measured_time = *row.time};
  check.measured_energy = row.energy;
  if (row.energy && row.energy_statistical) {
    check.measured_energy_deviation = *row.energy_statistical / kDeviations;
  }
  SumDetails details{.host = row.host_time, .host_bound = kHostBound, .tolerance = tolerance};
  if (const Composition* composition = measured.composition(check.network)) {
    sum(check, details, *composition, measured);
  }
  check.verdict = verdict_of(check, details, tolerance);
  check.explanation = explain(check, details);
  return check;
}

// Repeats, and with `any_board` several boards, count once: by the median of their errors.
template <typename Takes>
SumAccuracy accuracy_of(const std::vector<SumCheck>& checks, bool any_board, Takes takes) {
  struct Errors {
    std::vector<double> time, energy;
  };
  std::map<Key, Errors> configurations;
  for (const SumCheck& check : checks) {
    if (check.verdict == SumCheck::Verdict::incomplete || !check.valid || !takes(check)) continue;
    Key key = check.network;
    key.repeat = 0;
    if (any_board) key.device.clear();
    Errors& errors = configurations[key];
    errors.time.push_back(check.time_error());
    if (const auto error = check.energy_error()) errors.energy.push_back(*error);
  }
  std::vector<double> times, energies;
  for (const auto& [key, errors] : configurations) {
    times.push_back(std::abs(*statistics::median(errors.time)));
    if (const auto error = statistics::median(errors.energy)) energies.push_back(std::abs(*error));
  }
  return {.networks = static_cast<std::int64_t>(times.size()),
          .median_time_error = statistics::median(times),
          .median_energy_error = statistics::median(energies),
          .worst_time_error = statistics::quantile(times, 1),
          .worst_energy_error = statistics::quantile(energies, 1)};
}

}  // namespace

double SumCheck::time_error() const { return ((summed_time - measured_time) / measured_time).si(); }

std::optional<double> SumCheck::energy_error() const {
  if (!measured_energy || !summed_energy || *measured_energy <= Joules{0}) return std::nullopt;
  return ((*summed_energy - *measured_energy) / *measured_energy).si();
}

std::string_view name_of(SumCheck::Verdict verdict) {
  switch (verdict) {
    case SumCheck::Verdict::agrees:
      return "agrees";
    case SumCheck::Verdict::host_bound:
      return "host_bound";
    case SumCheck::Verdict::overlap:
      return "overlap";
    case SumCheck::Verdict::hidden_cost:
      return "hidden_cost";
    case SumCheck::Verdict::incomplete:
      return "incomplete";
  }
  return "";
}

Validation validate(const DatasetContents& contents, const ValidationOptions& options) {
  const MeasuredOperations measured(contents, options.any_board);
  Validation validation;
  for (const Row& row : contents.rows) {
    const bool usable = row.status == Status::measured && row.time && *row.time > Seconds{0};
    if (row.subject.kind != Subject::Kind::network || !usable) continue;
    validation.checks.push_back(check_of(row, measured, options.tolerance));
  }
  const auto is_large = [&](const SumCheck& check) {
    return check.network.condition.batch >= options.large_batch;
  };
  validation.large = accuracy_of(validation.checks, options.any_board, is_large);
  validation.small = accuracy_of(validation.checks, options.any_board, std::not_fn(is_large));
  return validation;
}

SumClaim claim_of(const Validation& validation, const ValidationOptions& options) {
  const bool measured = std::any_of(
      validation.checks.begin(), validation.checks.end(),
      [&](const SumCheck& check) { return check.network.condition.batch >= options.large_batch; });
  if (measured && validation.large.networks == 0) return SumClaim::incomplete;
  const bool within = validation.large.median_time_error.value_or(0) <= options.tolerance &&
                      validation.large.median_energy_error.value_or(0) <= options.tolerance;
  return within ? SumClaim::holds : SumClaim::exceeded;
}

}  // namespace ergon::profile
