#include "base/errc.h"

#include <array>
#include <cstddef>

#include "base/contract.h"

namespace ergon {
namespace {

constexpr std::array kFaces{
    FailureFace{Errc::unsupported, "unsupported", kExitFailed, 501},
    FailureFace{Errc::permission, "permission", kExitFailed, 403},
    FailureFace{Errc::not_found, "not_found", kExitFailed, 404},
    FailureFace{Errc::invalid_input, "invalid_input", kExitFailed, 400},
    FailureFace{Errc::device_lost, "device_lost", kExitFailed, 503},
    FailureFace{Errc::io, "io", kExitFailed, 500},
    FailureFace{Errc::cancelled, "cancelled", kExitInterrupted, 503},
    FailureFace{Errc::out_of_memory, "out_of_memory", kExitFailed, 507},
    FailureFace{Errc::busy, "busy", kExitFailed, 409},
    FailureFace{Errc::unknown_name, "unknown_name", kExitUsage, 404},
};

}  // namespace

const FailureFace& face(Errc kind) {
  const auto index = static_cast<std::size_t>(kind);
  ERGON_EXPECTS(index < kFaces.size() && kFaces[index].kind == kind);
  return kFaces[index];
}

}  // namespace ergon
