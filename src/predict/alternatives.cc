#include "predict/alternatives.h"

#include <set>

namespace ergon::predict {

std::vector<PreparedNetwork> alternatives_of(const Predictor& predictor, const graph::Network& network,
                                             const WorkloadConfig& requested) {
  std::set<std::int64_t> batches{requested.batch};
  if (!network.batch_is_fixed) batches.insert(kDefaultBatches.begin(), kDefaultBatches.end());
  std::vector<PreparedNetwork> all;
  for (const device::Precision precision : device::kPrecisions) {
    for (const std::int64_t batch : batches) {
      auto prepared = predictor.prepare(network, {batch, requested.mode, precision, requested.host});
      if (prepared) all.push_back(std::move(*prepared));
    }
  }
  return all;
}

}  // namespace ergon::predict
