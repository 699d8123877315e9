#include "profile/validation.h"

#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "base/statistics/quantile.h"
#include "profile/sum_explanation.h"

namespace ergon::profile {
namespace {

// From this share of the time on, the host is what the time is made of.
constexpr double kHostBound = 0.85;
// Half a 95 % interval in standard deviations.
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

// One operation as it enters the sum: the median over its repeats, each quantity by itself.
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

// A sum that is absent as soon as one of its terms is.
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

// The deviation of a sum of independent terms, each of which varies as a whole: all occurrences of an
// operation are one measurement, off by the same amount.
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

using Which = std::tuple<std::string, std::int64_t, graph::Mode>;

class Measured {
 public:
  Measured(const Contents& contents, bool any_board) {
    if (any_board) products_ = contents.products;
    for (const Row& row : contents.rows) {
      if (row.subject.what != Subject::What::operation) continue;
      names_.try_emplace(row.subject.id, row.subject.name);
      if (row.status == Status::measured && row.time) operations_[place_of(row.key())].push_back(&row);
    }
    for (const Composition& one : contents.compositions) {
      compositions_[{one.network, one.batch, one.mode}] = &one;
    }
  }

  const Composition* composition(const Key& network) const {
    const auto found = compositions_.find({network.subject, network.condition.batch, network.condition.mode});
    return found == compositions_.end() ? nullptr : found->second;
  }

  // The operation, run as the network was.
  std::optional<Term> term(const std::string& operation, Key network) const {
    network.what = Subject::What::operation;
    network.subject = operation;
    const auto found = operations_.find(place_of(std::move(network)));
    return found == operations_.end() ? std::nullopt : std::optional(term_of(found->second));
  }

  std::string name(const std::string& operation) const {
    const auto found = names_.find(operation);
    return found == names_.end() || found->second.empty() ? operation : found->second;
  }

 private:
  // Where all repeats of an operation are gathered.
  Key place_of(Key key) const {
    key.repeat = 0;
    if (const auto product = products_.find(key.device); product != products_.end())
      key.device = product->second;
    return key;
  }

  std::map<std::string, std::string> products_;  // empty: boards are told apart
  std::map<Key, std::vector<const Row*>> operations_;
  std::map<std::string, std::string> names_;
  std::map<Which, const Composition*> compositions_;
};

// Sums what there is of the network's operations.
void sum(SumCheck& check, SumDetails& details, const Composition& composition, const Measured& measured) {
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
    details.kinds[measured.name(operation)] += count * term->time;
  }
  if (check.missing == check.parts) return;
  check.summed_energy = energy.total();
  check.summed_time_deviation = time_deviation.total();
  if (check.summed_energy) check.summed_energy_deviation = energy_deviation.total();
}

SumCheck::Reading reading_of(const SumCheck& check, const SumDetails& details, double tolerance) {
  using Reading = SumCheck::Reading;
  if (check.parts == 0 || check.missing > 0) return Reading::incomplete;
  const double time = check.time_error();
  const double energy = check.energy_error().value_or(0);
  if (std::abs(time) <= tolerance && std::abs(energy) <= tolerance) return Reading::agrees;
  const bool waits = details.host && *details.host >= kHostBound * check.measured_time;
  const bool waits_between =
      check.summed_host > Seconds{0} && check.summed_host >= kHostBound * check.summed_time;
  if (waits || waits_between) return Reading::host_bound;
  const double larger = std::abs(time) > tolerance ? time : energy;
  return larger > 0 ? Reading::overlap : Reading::hidden_cost;
}

SumCheck check_of(const Row& row, const Measured& measured, double tolerance) {
  SumCheck check{.network = row.key(), .valid = row.valid, .measured_time = *row.time};
  check.measured_energy = row.energy;
  if (row.energy && row.energy_statistical) {
    check.measured_energy_deviation = *row.energy_statistical / kDeviations;
  }
  SumDetails details{.host = row.host_time, .host_bound = kHostBound, .tolerance = tolerance};
  if (const Composition* composition = measured.composition(check.network)) {
    sum(check, details, *composition, measured);
  }
  check.reading = reading_of(check, details, tolerance);
  check.explanation = explain(check, details);
  return check;
}

// What was repeated, or run on several boards, counts once: by the median of its errors.
template <typename Takes>
Agreement agreement_of(const std::vector<SumCheck>& checks, bool any_board, Takes takes) {
  struct Errors {
    std::vector<double> time, energy;
  };
  std::map<Key, Errors> configurations;
  for (const SumCheck& check : checks) {
    if (check.reading == SumCheck::Reading::incomplete || !check.valid || !takes(check)) continue;
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

std::string_view name_of(SumCheck::Reading reading) {
  switch (reading) {
    case SumCheck::Reading::agrees:
      return "agrees";
    case SumCheck::Reading::host_bound:
      return "host_bound";
    case SumCheck::Reading::overlap:
      return "overlap";
    case SumCheck::Reading::hidden_cost:
      return "hidden_cost";
    case SumCheck::Reading::incomplete:
      return "incomplete";
  }
  return "";
}

Validation validate(const Contents& contents, const ValidationOptions& options) {
  const Measured measured(contents, options.any_board);
  Validation validation;
  for (const Row& row : contents.rows) {
    const bool usable = row.status == Status::measured && row.time && *row.time > Seconds{0};
    if (row.subject.what != Subject::What::network || !usable) continue;
    validation.checks.push_back(check_of(row, measured, options.tolerance));
  }
  const auto is_large = [&](const SumCheck& check) {
    return check.network.condition.batch >= options.large_batch;
  };
  validation.large = agreement_of(validation.checks, options.any_board, is_large);
  validation.small = agreement_of(validation.checks, options.any_board, std::not_fn(is_large));
  return validation;
}

}  // namespace ergon::profile
