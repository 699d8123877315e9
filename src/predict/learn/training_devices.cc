#include "predict/learn/training_devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "device/twin/catalog.h"

namespace ergon::predict {

Result<const TrainingData*> data_of(const TrainingDataByDevice& all,
                                    const std::optional<std::string>& device) {
  std::vector<std::string> names;
  for (const auto& each : all) names.push_back(each.first);
  if (!device && names.size() == 1) return &all.begin()->second;
  if (!device) {
    return fail(Errc::invalid_input, "the data has rows of {}; choose one with --device",
                names.empty() ? std::string("no device") : fmt::format("{}", fmt::join(names, " and ")));
  }
  const auto found = all.find(lower(*device));
  if (found == all.end())
    return fail(Errc::unknown_name, "--data has no rows of device \"{}\"{}", printable(*device),
                suggestion(*device, names));
  return &found->second;
}

std::vector<RelatedDevice> related_devices_of(const std::string& device, const TrainingDataByDevice& all) {
  std::vector<RelatedDevice> related;
  for (const auto& [name, data] : all) {
    const auto gpu = device::find_device(name);
    if (gpu && name != device) related.push_back({&data, *gpu});
  }
  return related;
}

std::size_t network_folds(const TrainingData& data) {
  constexpr std::size_t kFew = 100;
  return data.networks.size() < kFew ? data.networks.size() : FitOptions{}.folds;
}

}  // namespace ergon::predict
