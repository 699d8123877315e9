#include "predict/predictor_source.h"

#include "device/twin/catalogue.h"
#include "predict/builtin_models.h"
#include "predict/model_file.h"

namespace ergon::app {

Result<predict::Predictor> predictor_for(const std::string& device, const std::optional<std::string>& model) {
  const auto gpu = device::find_device(device);
  if (!gpu) return gpu.error();
  if (model) {
    auto read = predict::read_model_file(*model);
    if (!read) return read.error();
    return predict::Predictor::with(*gpu, std::move(*read));
  }
  const auto builtin = predict::builtin_model(gpu->name);
  if (builtin.empty()) return predict::Predictor(*gpu);
  auto read = predict::read_model(builtin, "the model that comes with Ergon");
  if (!read) return read.error();
  return predict::Predictor::with(*gpu, std::move(*read));
}

void PrecisionSetting::declare(Options& options) {
  std::vector<std::string> names;
  for (const device::Precision each : device::all_precisions()) names.emplace_back(name_of(each));
  options.choice("--precision", name, names, "numbers the network computes with");
}

device::Precision PrecisionSetting::wanted() const {
  return device::precision_named(name).value_or(device::Precision::tf32);
}

void HostSetting::declare(Options& options) {
  std::vector<std::string> names;
  for (const predict::Host each : predict::kHosts) names.emplace_back(predict::name_of(each));
  options.choice("--host", name, names, "who asks for the kernels (who usually does)");
}

predict::Host HostSetting::for_network(const graph::Network& network) const {
  return predict::host_named(name).value_or(predict::usual_host(network));
}

}  // namespace ergon::app
