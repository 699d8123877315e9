#include "base/errc.h"

#include <array>
#include <cstddef>

#include "base/contract.h"

namespace ergon {
namespace {

constexpr std::array kMappings{
    ErrorMapping{Errc::unsupported, "unsupported", kExitFailed, 501},
    ErrorMapping{Errc::permission, "permission", kExitFailed, 403},
    ErrorMapping{Errc::not_found, "not_found", kExitFailed, 404},
    ErrorMapping{Errc::invalid_input, "invalid_input", kExitFailed, 400},
    ErrorMapping{Errc::device_lost, "device_lost", kExitFailed, 503},
    ErrorMapping{Errc::io, "io", kExitFailed, 500},
    ErrorMapping{Errc::cancelled, "cancelled", kExitInterrupted, 503},
    ErrorMapping{Errc::out_of_memory, "out_of_memory", kExitFailed, 507},
    ErrorMapping{Errc::busy, "busy", kExitFailed, 409},
    ErrorMapping{Errc::unknown_name, "unknown_name", kExitUsage, 404},
    ErrorMapping{Errc::internal, "internal", kExitFailed, 500},
};

}  // namespace

const ErrorMapping& mapping_of(Errc kind) {
  const auto index = static_cast<std::size_t>(kind);
  ERGON_EXPECTS(index < kMappings.size() && kMappings[index].kind == kind);
  return kMappings[index];
}

std::span<const ErrorMapping> error_mappings() { return kMappings; }

}  // namespace ergon
