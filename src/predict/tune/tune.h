#pragma once

// The operating point for an objective. Everything that can be set is tried: some 200 clocks, a few power
// limits and all batches, on every device. An answer of a predictor costs less than a microsecond, so there
// is nothing to be clever about, and the choice is the best there is.
//
// Default settings are the GPU's own clock and its usual power limit. What they cost is given on the chosen
// device at the chosen batch, so that the saving is what clock and limit bring, and nothing is gained by
// comparing with a batch that nobody would run. Beside it stands the strongest rival: the best that default
// settings reach within the bounds when device and batch are free.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/tune/bounds.h"
#include "predict/tune/candidates.h"
#include "predict/tune/exchange.h"
#include "predict/tune/objective.h"

namespace ergon::predict {

struct Question {
  Objective objective = Objective::energy;
  Bounds bounds;
  Prices prices;
  Reach reach;
};

// What one device has to offer.
struct DeviceAnswer {
  std::string device;
  std::optional<OperatingPoint> choice;
  std::optional<OperatingPoint> at_default;  // at the choice's batch
  std::optional<Blockade> blockade;          // where there is no choice
  std::size_t candidates = 0;
  std::vector<std::string> warnings;  // of the predictor, at the choice's batch
  std::vector<LeftOut> left_out;
};

struct Answer {
  OperatingPoint choice;
  OperatingPoint at_default;                   // same device, same batch
  std::optional<OperatingPoint> best_default;  // within the bounds; nothing where none is
  double energy_saving = 0;                    // against at_default
  std::vector<DeviceAnswer> devices;           // the best first, those without a choice last
  std::vector<OperatingPoint> front;           // of all that keep the bounds on throughput and power
  std::vector<Exchange> more_latency, less_latency;
};

// Errors: no point keeps the bounds (the message has the nearest, and what each bound can be met with); those
// of candidates_of. Contract: there are contenders, all of different devices; a price needs prices.
Result<Answer> tune(std::span<const Contender> contenders, const Question& question);

}  // namespace ergon::predict
