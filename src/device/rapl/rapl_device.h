#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

#include "device/device.h"
#include "device/rapl/wrapping_counter.h"

namespace ergon::device::rapl {

// One energy counter of a processor.
class RaplDevice final : public Device {
 public:
  // Reads the counter once. Errors: no permission; contents that are no counter.
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
  std::mutex reading_;  // from the file to the total, so that no older reading comes behind a newer one
  WrappingCounter counter_;
};

}  // namespace ergon::device::rapl
