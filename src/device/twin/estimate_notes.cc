#include "device/twin/estimate_notes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "device/twin/network_precision.h"

namespace ergon::device {
namespace {

// Only tables of whole networks have energies.
bool is_network_table(const Specification& gpu, const std::string& table) {
  return std::any_of(gpu.residuals.begin(), gpu.residuals.end(), [&](const TableResidual& each) {
    return each.table == table && each.quantity == "energy";
  });
}

}  // namespace

std::vector<HeldOutError> network_errors(const Specification& gpu) {
  std::vector<HeldOutError> errors;
  for (const char* quantity : {"time", "power", "energy"}) {
    double sum = 0, rows = 0;
    for (const TableResidual& each : gpu.residuals) {
      if (each.quantity != quantity || !is_network_table(gpu, each.table)) continue;
      sum += each.mape_held_out * static_cast<double>(each.rows_held_out);
      rows += static_cast<double>(each.rows_held_out);
    }
    if (rows > 0) errors.push_back({quantity, sum / rows});
  }
  return errors;
}

bool is_same_arithmetic(const Specification& gpu, Precision a, Precision b) {
  const bool on_tensor_cores = gpu.peak_tflops.contains(a) && gpu.peak_tflops.contains(b);
  if (bytes_of(a) != bytes_of(b)) return false;
  if (bytes_of(a) == 2 && on_tensor_cores) return gpu.peak_tflops.at(a) == gpu.peak_tflops.at(b);
  const auto computed_in = [&](Precision precision) {
    return gpu.peak_tflops.contains(precision) ? precision : Precision::fp32;
  };
  return computed_in(a) == computed_in(b);
}

std::optional<double> largest_network_error(const Specification& gpu, std::string_view quantity,
                                            const RunKind& kind) {
  const auto is_like = [&](const RunKind& other) {
    return other.mode == kind.mode && other.host_bound == kind.host_bound &&
           is_same_arithmetic(gpu, other.precision, kind.precision);
  };
  std::optional<double> largest;
  for (const TableResidual& each : gpu.residuals) {
    if (each.quantity != quantity || !is_network_table(gpu, each.table)) continue;
    if (std::none_of(each.kinds_held_out.begin(), each.kinds_held_out.end(), is_like)) continue;
    largest = std::max(largest.value_or(0), each.mape_held_out);
  }
  return largest;
}

std::optional<std::string> unsupported_warning(const Specification& gpu, Precision precision) {
  if (bytes_of(precision) != 2 || gpu.peak_tflops.contains(precision)) return std::nullopt;
  return fmt::format("{} does not support {}: the arithmetic is fp32, storage is 16 bits", gpu.name,
                     name_of(precision));
}

std::vector<std::string> precision_warnings(const graph::Network& network, Precision precision,
                                            const Specification& gpu) {
  std::vector<std::string> warnings;
  if (auto warning = unmodeled_warning(network, precision)) warnings.push_back(std::move(*warning));
  if (auto warning = unsupported_warning(gpu, precision)) warnings.push_back(std::move(*warning));
  return warnings;
}

}  // namespace ergon::device
