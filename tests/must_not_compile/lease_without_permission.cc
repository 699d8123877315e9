// error: private
#include "device/lease/lease.h"

auto acquire(ergon::device::Device& device, const ergon::device::LeaseStore& place) {
#ifdef MUST_NOT_COMPILE
  return ergon::device::Lease::acquire(device, place, {});
#else
  return ergon::device::Lease::acquire(device, place, ergon::device::ControlAllowed::by_user());
#endif
}
