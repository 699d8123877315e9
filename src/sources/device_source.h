#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/machine/device_name.h"
#include "device/twin/specification.h"
#include "predict/predictor.h"

namespace ergon::sources {

// A device given by a user: "cpu", a GPU of this machine, a twin by name or a device file (.json); with the
// model that predicts its costs, if one was given.
struct DeviceSource {
  std::string name;
  std::optional<std::string> model;  // a model file; absent: the bundled model of the device, if there is one

  device::NameKind kind() const { return device::kind_of_name(name); }

  // The twin. Errors: unknown_name with the nearest name; those of reading the file.
  Result<device::Specification> twin() const;
  // The predictor with the given model, the bundled model or the physical estimate alone. Errors: those of
  // twin(); a model that cannot be read or was fitted for another device.
  Result<predict::Predictor> predictor() const;
  // Device file and model file, for the provenance.
  std::vector<std::string> files() const;
};

// The twin of a product name from a driver: "h200" of "NVIDIA H200". A suffix " (simulated)" is ignored.
std::optional<std::string> twin_of_product(std::string_view product);

// Predictors of several devices, and the files that were read.
struct PredictorSet {
  std::vector<predict::Predictor> predictors;
  std::vector<std::string> files;
};

// Assigns model files to the devices they were fitted for. Returns each device once, in order; of two names
// of one device the first. Reads every file once. Errors: those of twin() and of reading a model;
// invalid_input for a model of another device, and for two devices with one name and different parameters.
Result<PredictorSet> load_predictors(const std::vector<std::string>& devices,
                                     const std::vector<std::string>& models);

}  // namespace ergon::sources
