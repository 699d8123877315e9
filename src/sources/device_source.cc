#include "sources/device_source.h"

#include <map>
#include <utility>

#include "base/text.h"
#include "device/twin/catalog.h"
#include "device/twin/parameter_digest.h"
#include "predict/model/builtin_models.h"
#include "predict/model/model_file.h"

namespace ergon::sources {
namespace {

// With the given model, the bundled one or the physical estimate alone.
Result<predict::Predictor> predictor_of(device::Specification gpu, std::optional<predict::Model> model) {
  if (model) return predict::Predictor::with(std::move(gpu), std::move(*model));
  const auto builtin = predict::builtin_model(gpu.name);
  if (builtin.empty()) return predict::Predictor(std::move(gpu));
  auto read = predict::read_model(builtin, "bundled model");
  if (!read) return read.error();
  // A device file with the name of a bundled device and other parameters: measurements of the original say
  // nothing about it.
  if (!read->fits(gpu)) return predict::Predictor(std::move(gpu));
  return predict::Predictor::with(std::move(gpu), std::move(*read));
}

}  // namespace

Result<device::Specification> DeviceSource::twin() const { return device::find_device(name); }

Result<predict::Predictor> DeviceSource::predictor() const {
  auto gpu = twin();
  if (!gpu) return gpu.error();
  if (!model) return predictor_of(std::move(*gpu), std::nullopt);
  auto read = predict::read_model_file(*model);
  if (!read) return read.error();
  return predictor_of(std::move(*gpu), std::move(*read));
}

std::vector<std::string> DeviceSource::files() const {
  std::vector<std::string> all;
  if (kind() == device::NameKind::twin && device::is_device_file(name)) all.push_back(name);
  if (model) all.push_back(*model);
  return all;
}

std::optional<std::string> twin_of_product(std::string_view product) {
  constexpr std::string_view kSimulated = " (simulated)";
  if (product.ends_with(kSimulated)) product.remove_suffix(kSimulated.size());
  for (const std::string& name : device::device_names()) {
    const auto gpu = device::find_device(name);
    if (!gpu) continue;
    // Drivers omit the suffix of the data sheet: "NVIDIA H200" for "NVIDIA H200-SXM-141GB".
    const bool begins = gpu->title.starts_with(product) && gpu->title.size() > product.size() &&
                        (gpu->title[product.size()] == '-' || gpu->title[product.size()] == ' ');
    if (gpu->name == product || gpu->title == product || begins) return name;
  }
  return std::nullopt;
}

Result<PredictorSet> load_predictors(const std::vector<std::string>& devices,
                                     const std::vector<std::string>& models) {
  struct Chosen {
    DeviceSource source;
    device::Specification gpu;
    std::optional<predict::Model> model;
  };
  std::vector<Chosen> all;
  std::map<std::string, std::size_t> position;  // in `all`, by the twin's name
  for (const std::string& name : devices) {
    DeviceSource source{name, {}};
    auto gpu = source.twin();
    if (!gpu) return gpu.error();
    const auto [found, is_new] = position.emplace(gpu->name, all.size());
    if (is_new) {
      all.push_back({std::move(source), std::move(*gpu), {}});
    } else if (const Chosen& first = all[found->second];
               device::parameter_digest(first.gpu) != device::parameter_digest(*gpu)) {
      return fail(
          Errc::invalid_input,
          "--device: {} and {} are different devices with the same name \"{}\"; change \"name\" in the "
          "device file",
          printable(first.source.name), printable(name), gpu->name);
    }
  }
  for (const std::string& file : models) {
    auto model = predict::read_model_file(file);
    if (!model) return model.error();
    const auto device = position.find(model->device);
    if (device == position.end()) {
      return fail(Errc::invalid_input, "--model: {} is a model of {}, which is not in --device", file,
                  model->device);
    }
    Chosen& chosen = all[device->second];
    chosen.source.model = file;
    chosen.model = std::move(*model);
  }
  PredictorSet set;
  for (auto& [source, gpu, model] : all) {
    auto predictor = predictor_of(std::move(gpu), std::move(model));
    if (!predictor) return predictor.error();
    set.predictors.push_back(std::move(*predictor));
    for (std::string& file : source.files()) set.files.push_back(std::move(file));
  }
  return set;
}

}  // namespace ergon::sources
