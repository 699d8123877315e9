#include "profile/row.h"

namespace ergon::profile {

std::string_view name_of(Launch launch) { return launch == Launch::eager ? "eager" : "replay"; }

std::string_view name_of(Status status) {
  switch (status) {
    case Status::measured:
      return "measured";
    case Status::out_of_memory:
      return "out_of_memory";
    case Status::unsupported:
      return "unsupported";
    case Status::failed:
      return "failed";
  }
  return "";
}

Key Row::key() const {
  return {subject.kind, subject.id, condition, launch, requested_clock, device, repeat};
}

}  // namespace ergon::profile
