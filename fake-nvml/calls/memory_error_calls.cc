// Memory errors: none. From Ampere on, boards with ECC replace rows; older ones retire pages.

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::EnableState;

Return no_errors(const char* function, DeviceHandle device, unsigned long long* count) {
  return give(function, device, count, [](const GpuCall& at) -> std::optional<unsigned long long> {
    if (!at.product.ecc) return std::nullopt;
    return 0;
  });
}

constexpr unsigned kRetirementCauses = 2;

Return no_pages(const char* function, DeviceHandle device, unsigned cause, unsigned* count) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (cause >= kRetirementCauses || count == nullptr) return Return::invalid_argument;
    if (!at.product.retires_pages()) return Return::not_supported;
    *count = 0;
    return Return::success;
  });
}

struct RowRemapperHistogram {  // banks by the spare rows that are left
  unsigned all, high, partial, low, none;
};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" {

Return nvmlDeviceGetTotalEccErrors(DeviceHandle device, int, int, unsigned long long* count) {
  return no_errors(__func__, device, count);
}
Return nvmlDeviceGetMemoryErrorCounter(DeviceHandle device, int, int, int, unsigned long long* count) {
  return no_errors(__func__, device, count);
}

Return nvmlDeviceGetRemappedRows(DeviceHandle device, unsigned* corrected, unsigned* uncorrected,
                                 unsigned* is_pending, unsigned* failed) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    for (const unsigned* const each : {corrected, uncorrected, is_pending, failed}) {
      if (each == nullptr) return Return::invalid_argument;
    }
    if (!at.product.remaps_rows()) return Return::not_supported;
    *corrected = *uncorrected = *is_pending = *failed = 0;
    return Return::success;
  });
}
Return nvmlDeviceGetRowRemapperHistogram(DeviceHandle device, RowRemapperHistogram* banks) {
  return give(__func__, device, banks, [](const GpuCall& at) -> std::optional<RowRemapperHistogram> {
    if (at.product.memory_banks == 0) return std::nullopt;
    return RowRemapperHistogram{at.product.memory_banks, 0, 0, 0, 0};
  });
}

Return nvmlDeviceGetRetiredPages(DeviceHandle device, unsigned cause, unsigned* count, unsigned long long*) {
  return no_pages(__func__, device, cause, count);
}
Return nvmlDeviceGetRetiredPages_v2(DeviceHandle device, unsigned cause, unsigned* count, unsigned long long*,
                                    unsigned long long*) {
  return no_pages(__func__, device, cause, count);
}
Return nvmlDeviceGetRetiredPagesPendingStatus(DeviceHandle device, EnableState* is_pending) {
  return give(__func__, device, is_pending, [](const GpuCall& at) -> std::optional<EnableState> {
    if (!at.product.retires_pages()) return std::nullopt;
    return EnableState::disabled;
  });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

}  // namespace ergon::fake_nvml
