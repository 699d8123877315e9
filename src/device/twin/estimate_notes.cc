#include "device/twin/estimate_notes.h"

#include <algorithm>

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

std::optional<double> largest_network_error(const Specification& gpu, std::string_view quantity) {
  std::optional<double> largest;
  for (const TableResidual& each : gpu.residuals) {
    if (each.quantity != quantity || each.rows_held_out == 0 || !is_network_table(gpu, each.table)) continue;
    largest = std::max(largest.value_or(0), each.mape_held_out);
  }
  return largest;
}

std::optional<std::string> substitute_arithmetic(const Specification& gpu, Precision precision) {
  if (gpu.peak_tflops.contains(precision)) return std::nullopt;
  return bytes_of(precision) == 2 ? "the arithmetic is fp32, storage is 16 bits" : "the arithmetic is fp32";
}

}  // namespace ergon::device
