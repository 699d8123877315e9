#include "predict/predictor_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "device/twin/catalog.h"
#include "predict/model/builtin_models.h"
#include "predict/model/model_file.h"

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
  auto read = predict::read_model(builtin, "bundled model");
  if (!read) return read.error();
  return predict::Predictor::with(*gpu, std::move(*read));
}

void PrecisionSetting::declare(Options& options) {
  std::vector<std::string> names;
  for (const device::Precision each : device::all_precisions()) names.emplace_back(name_of(each));
  options.parsed("--precision", fmt::format("{}", fmt::join(names, "|")),
                 "data type of the arithmetic (default: tf32)",
                 [this, names](std::string_view text) -> Result<> {
                   const auto named = device::precision_named(text);
                   if (!named)
                     return fail(Errc::unknown_name, "--precision: \"{}\" is not one of {}{}",
                                 printable(text), fmt::join(names, ", "), suggestion(lower(text), names));
                   name = name_of(*named);
                   return {};
                 });
}

device::Precision PrecisionSetting::precision() const {
  return device::precision_named(name).value_or(device::Precision::tf32);
}

void HostSetting::declare(Options& options) {
  std::vector<std::string> names;
  for (const predict::LaunchHost each : predict::kLaunchHosts) names.emplace_back(predict::name_of(each));
  options.parsed("--host", fmt::format("{}", fmt::join(names, "|")),
                 "program that launches kernels (default: by network)",
                 [this](std::string_view text) -> Result<> {
                   const auto named = predict::launch_host_named(text);
                   if (!named) return named.error().in("--host");
                   name = predict::name_of(*named);
                   return {};
                 });
}

predict::LaunchHost HostSetting::for_network(const graph::Network& network) const {
  const auto named = predict::launch_host_named(name);
  return named ? *named : predict::default_launch_host(network);
}

}  // namespace ergon::app
