#include "device/machine/current_power.h"

namespace ergon::device {

Result<Watts> current_power(Device& device) {
  for (const PowerField field : {PowerField::instant, PowerField::usage, PowerField::average}) {
    if (device.capabilities().has(field)) return device.power(field);
  }
  return fail(Errc::unsupported, "no power reading");
}

}  // namespace ergon::device
