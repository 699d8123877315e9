#pragma once

#include <string>

#include "base/timestamp.h"
#include "device/device.h"
#include "device/twin/twin.h"

namespace ergon::device {

// A twin as a Device. The owner of the twin advances its time; time 0 corresponds to the wall clock time
// `epoch`. Not thread-safe, like Twin.
class TwinDevice final : public Device {
 public:
  TwinDevice(Twin& twin, Timestamp epoch);

  const Identity& identity() const override { return identity_; }
  const Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return true; }

  Result<Watts> power(PowerField field) override;
  Result<std::vector<PowerSample>> power_samples(Timestamp since) override;
  Result<Joules> energy_counter() override { return twin_.energy_counter(); }
  Result<Hertz> clock(ClockDomain domain) override;
  Result<std::vector<Hertz>> supported_clocks(ClockDomain domain) override;
  Result<Celsius> temperature() override { return twin_.temperature(); }
  Result<EventReasons> event_reasons() override;
  Result<PowerLimits> power_limits() override;

 private:
  Twin& twin_;
  Timestamp epoch_;
  Identity identity_;
  Capabilities capabilities_;
};

// UUID of the twin with this name: "TWIN-v100".
inline std::string twin_uuid(const std::string& name) { return "TWIN-" + name; }
Identity identity_of(const Specification& gpu);
Capabilities capabilities_of(const Specification& gpu);

}  // namespace ergon::device
