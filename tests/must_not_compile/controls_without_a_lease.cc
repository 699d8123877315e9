// error: private
#include "device/device.h"

ergon::device::Controls* reach(ergon::device::Device& device) {
#ifdef MUST_NOT_COMPILE
  return device.controls(ergon::device::LeaseKey{});
#else
  return static_cast<void>(device), nullptr;
#endif
}
