#include "device/machine/current_power.h"

#include <gtest/gtest.h>

#include "device/twin/catalog.h"
#include "device/twin/twin_device.h"

namespace ergon::device {
namespace {

// A twin that reports other power fields than its board, each with a power of its own.
class FieldsDevice final : public Device {
 public:
  FieldsDevice(Device& twin, std::vector<PowerField> fields)
      : twin_(twin), capabilities_(twin.capabilities()) {
    capabilities_.power = std::move(fields);
  }
  const Identity& identity() const override { return twin_.identity(); }
  const Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return true; }
  Result<Watts> power(PowerField field) override { return Watts{10.0 + static_cast<double>(field)}; }

 private:
  Device& twin_;
  Capabilities capabilities_;
};

TEST(CurrentPower, IsThatOfTheFieldWithTheShortestWindow) {
  Twin twin(find_device("h200").value());
  TwinDevice board(twin, {});
  const auto power = [&](std::vector<PowerField> fields) {
    FieldsDevice device(board, std::move(fields));
    return current_power(device);
  };
  const auto watts = [](PowerField field) { return Watts{10.0 + static_cast<double>(field)}; };
  using enum PowerField;
  EXPECT_EQ(power({usage, average, instant}).value(), watts(instant));
  EXPECT_EQ(power({average, usage}).value(), watts(usage));
  EXPECT_EQ(power({average}).value(), watts(average));
  EXPECT_EQ(power({}).error().kind, Errc::unsupported);
}

}  // namespace
}  // namespace ergon::device
