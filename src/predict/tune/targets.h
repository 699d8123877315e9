#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/notify.h"
#include "base/result.h"
#include "graph/network.h"
#include "predict/predictor.h"
#include "predict/tune/tune.h"

namespace ergon::predict {

// Batches to try: the requested ones, ascending and each once; without a request the only batch that the
// network supports, or kDefaultBatches.
std::vector<std::int64_t> batches_to_try(const graph::Network& network,
                                         const std::vector<std::int64_t>& requested = {});

// Batches on all devices together; more are refused, as each takes up to 100 kB of memory.
inline constexpr std::size_t kMaxTuneCombinations = 2'000;

// A network at several batches on every device, for tune(). The batch of `config` is ignored. Batches and
// devices without enough memory are skipped and reported to `notify`. Errors: more combinations than
// kMaxTuneCombinations; a batch that the network does not support; out_of_memory if no batch fits on any
// device. Contract: `batches` is ascending.
Result<std::vector<TuneTarget>> tune_targets_of(std::span<const Predictor> predictors,
                                                const graph::Network& network, const WorkloadConfig& config,
                                                const std::vector<std::int64_t>& batches,
                                                const Notify& notify);

// Price of an hour of one device, or of every device if `device` is empty.
struct GpuHourPrice {
  std::string device;
  double price = 0;
};

// Options that exclude each other or need another one. Errors: invalid_input, naming the options.
Result<> check(const TuneRequest& request, std::span<const GpuHourPrice> prices);

// Fails if none of the devices supports one of the power limits.
Result<> check_limits(const std::vector<Watts>& limits, std::span<const Predictor> predictors);

// Prices by device; the last of several for one device. Errors: a price of another device; a device without a
// price.
Result<std::map<std::string, double>> prices_by_device(std::span<const GpuHourPrice> prices,
                                                       std::span<const Predictor> predictors);

}  // namespace ergon::predict
