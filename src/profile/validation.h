#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/dataset.h"

namespace ergon::profile {

// A network compared with the sum of its operations (C. Nicolai's thesis, section 5.1).
struct SumCheck {
  Key network;               // row of the network
  bool valid = true;         // of that row
  std::int64_t parts = 0;    // distinct operations
  std::int64_t missing = 0;  // operations without a usable row
  Seconds measured_time, summed_time;
  Seconds summed_host;  // launch time of all operations with a known one
  std::optional<Joules> measured_energy, summed_energy;
  std::optional<Joules> measured_energy_deviation, summed_energy_deviation;
  std::optional<Seconds> summed_time_deviation;

  // (sum - network) / network.
  double time_error() const;
  std::optional<double> energy_error() const;

  // Why they differ, derived from the rows.
  enum class Verdict : std::uint8_t {
    agrees,       // within the tolerance
    host_bound,   // the device waits for kernel launches from the host
    overlap,      // the network is faster than its operations, and not host-bound
    hidden_cost,  // the network is slower than its operations
    incomplete,   // operations have no usable row
  };
  Verdict verdict = Verdict::agrees;
  std::string explanation;  // one sentence with the numbers
};
std::string_view name_of(SumCheck::Verdict verdict);

struct SumAccuracy {
  // Networks per batch, mode and precision with a valid row and rows of all operations; repeats count once.
  std::int64_t networks = 0;
  std::optional<double> median_time_error, median_energy_error;  // of absolute errors
  std::optional<double> worst_time_error, worst_energy_error;
};

struct Validation {
  std::vector<SumCheck> checks;  // in the order of the network rows
  SumAccuracy large;             // batches of at least `large_batch`
  SumAccuracy small;             // smaller batches
};

struct ValidationOptions {
  double tolerance = 0.10;
  std::int64_t large_batch = 32;
  bool any_board = false;  // use operations of other devices of the same product
};
// Uses operations with the same condition, launch, clock and device as the network; the median of repeats.
Validation validate(const DatasetContents& contents, const ValidationOptions& options);

// Whether sums of operations predict networks at large batches: their median errors are within the tolerance.
enum class SumClaim : std::uint8_t {
  holds,  // also if no network was measured at a large batch
  exceeded,
  incomplete,  // networks were measured at large batches, but none has a valid row and rows of all its
               // operations
};
SumClaim claim_of(const Validation& validation, const ValidationOptions& options);

}  // namespace ergon::profile
