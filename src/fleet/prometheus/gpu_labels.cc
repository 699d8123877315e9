#include "fleet/prometheus/gpu_labels.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace ergon::fleet {
namespace {

constexpr std::array<std::string_view, 3> kUuidLabels{"UUID", "uuid", "gpu_uuid"};
constexpr std::array<std::string_view, 3> kSerialLabels{"serial", "gpu_serial", "DCGM_FI_DEV_SERIAL"};
constexpr std::array<std::string_view, 3> kIndexLabels{"gpu", "device", "minor_number"};
constexpr std::array<std::string_view, 5> kHostLabels{"Hostname", "hostname", "host", "node",
                                                      "kubernetes_node"};
constexpr std::string_view kScrapedAddress = "instance";

// Prometheus treats an empty label as absent.
std::string first_label(const Labels& labels, std::span<const std::string_view> spellings) {
  for (const std::string_view spelling : spellings) {
    const auto found = labels.find(spelling);
    if (found != labels.end() && !found->second.empty()) return found->second;
  }
  return {};
}

// "node1:9400" is node1, "[::1]:9400" is ::1, and "::1" is itself.
std::string_view without_port(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, std::min(address.find(']'), address.size()) - 1);
  const std::size_t colon = address.find(':');
  return colon == address.rfind(':') ? address.substr(0, colon) : address;
}

}  // namespace

LabeledGpu gpu_of(const Labels& labels) {
  LabeledGpu gpu;
  gpu.host = first_label(labels, kHostLabels);
  if (gpu.host.empty()) gpu.host = without_port(first_label(labels, {&kScrapedAddress, 1}));
  gpu.uuid = first_label(labels, kUuidLabels);
  gpu.serial = first_label(labels, kSerialLabels);
  gpu.key = !gpu.uuid.empty()     ? gpu.uuid
            : !gpu.serial.empty() ? gpu.serial
                                  : first_label(labels, kIndexLabels);
  if (gpu.key.empty()) gpu.key = gpu.host;
  return gpu;
}

}  // namespace ergon::fleet
