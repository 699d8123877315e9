#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/dataset.h"

namespace ergon::profile {

// A whole network beside the sum of its operations (C. Nicolai's thesis, section 5.1).
struct SumCheck {
  Key network;               // the whole network's row
  bool valid = true;         // that row
  std::int64_t parts = 0;    // distinct operations it consists of
  std::int64_t missing = 0;  // of them without a usable row
  Seconds measured_time, summed_time;
  Seconds summed_host;  // what the host needs for all operations, as far as that is known
  std::optional<Joules> measured_energy, summed_energy;
  std::optional<Joules> measured_energy_deviation, summed_energy_deviation;
  std::optional<Seconds> summed_time_deviation;

  // Of the sum from the whole, as a share of the whole.
  double time_error() const;
  std::optional<double> energy_error() const;

  // Why they differ, as far as the rows can tell.
  enum class Reading : std::uint8_t {
    agrees,       // within the tolerance
    host_bound,   // the host asks slower than the device works: the device waits
    overlap,      // the whole is faster than its parts, and the host is not to blame
    hidden_cost,  // the whole is slower than its parts
    incomplete,   // operations are missing
  };
  Reading reading = Reading::agrees;
  std::string explanation;  // a sentence with the numbers
};
std::string_view name_of(SumCheck::Reading reading);

struct Agreement {
  std::int64_t networks =
      0;  // at a batch, mode and precision, complete and of valid rows; repeats count once
  std::optional<double> median_time_error, median_energy_error;  // of absolute values
  std::optional<double> worst_time_error, worst_energy_error;
};

struct Validation {
  std::vector<SumCheck> checks;  // in the order of the networks' rows
  Agreement large;               // from `large_batch` on
  Agreement small;               // below
};

struct ValidationOptions {
  double tolerance = 0.10;
  std::int64_t large_batch = 32;
  bool any_board = false;  // operations that another device of the same product has run count as well
};
// Operations count when they were run as the network was: same condition, launch, clock and device; of
// several repeats the median.
Validation validate(const Contents& contents, const ValidationOptions& options);

}  // namespace ergon::profile
