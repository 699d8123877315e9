#include "predict/sanity.h"

#include <cmath>

#include "base/internal_error.h"

namespace ergon::predict {
namespace {

constexpr double kRounding = 1e-6;

template <typename Q>
Result<> check_value(const char* name, const PredictedValue<Q>& predicted, const std::string& device) {
  const double value = predicted.value.si(), low = predicted.low.si(), high = predicted.high.si();
  if (std::isfinite(value) && std::isfinite(low) && std::isfinite(high) && value > 0 && low >= 0 &&
      low <= value * (1 + kRounding) && high >= value * (1 - kRounding))
    return {};
  return internal_error("the predicted {} on {} is {}, with the interval {} to {}", name, device, value, low,
                        high);
}

}  // namespace

Result<> check_sanity(const Prediction& prediction, const device::Specification& gpu, Watts limit) {
  if (auto fine = check_value("time", prediction.time, gpu.name); !fine) return fine;
  if (auto fine = check_value("power", prediction.power, gpu.name); !fine) return fine;
  if (auto fine = check_value("energy", prediction.energy, gpu.name); !fine) return fine;
  if (auto fine = check_value("energy per sample", prediction.energy_per_sample, gpu.name); !fine)
    return fine;
  if (prediction.limit_held && prediction.power.high > limit * (1 + kRounding))
    return internal_error("the predicted power on {} reaches {} W, above the limit of {} W", gpu.name,
                          prediction.power.high.si(), limit.si());
  const double product = (prediction.power.value * prediction.time.value / prediction.energy.value).si();
  if (std::abs(product - 1) > kRounding)
    return internal_error("the predicted energy on {} is not power times time: {} J, {} W, {} s", gpu.name,
                          prediction.energy.value.si(), prediction.power.value.si(),
                          prediction.time.value.si());
  return {};
}

}  // namespace ergon::predict
