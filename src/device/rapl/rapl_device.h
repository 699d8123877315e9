#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

#include "device/device.h"
#include "device/rapl/wrapping_counter.h"

namespace ergon::device::rapl {

// One RAPL energy counter.
class RaplDevice final : public Device {
 public:
  // Reads the counter once. Errors: permission; files that do not contain a counter.
  static Result<std::unique_ptr<RaplDevice>> open(Identity identity, const std::filesystem::path& zone);

  const Identity& identity() const override { return identity_; }
  const Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return false; }
  Result<Joules> energy_counter() override;

 private:
  RaplDevice(Identity identity, std::filesystem::path file, WrappingCounter counter);

  Identity identity_;
  Capabilities capabilities_;
  std::filesystem::path file_;
  std::mutex reading_;  // held from reading the file to updating the total, so that readings stay in order
  WrappingCounter counter_;
};

}  // namespace ergon::device::rapl
