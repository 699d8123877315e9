#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/text.h"
#include "base/timestamp.h"
#include "device/twin/catalog.h"
#include "fleet/synthetic/generate.h"

namespace ergon::fleet::synthetic {

inline FleetPlan small_plan(std::uint64_t hosts, double hours, std::uint64_t seed = 1) {
  FleetPlan plan;
  plan.hosts = hosts;
  plan.duration = Seconds{3600 * hours};
  plan.seed = seed;
  plan.device = *device::find_device("v100s");
  return plan;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Fields of all rows without quotes and header. No field of these files contains a comma.
inline std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<std::vector<std::string>> rows;
  while (std::getline(file, line)) {
    std::erase(line, '"');
    std::vector<std::string> row;
    for (const std::string_view field : split(line, ',')) row.emplace_back(field);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ergon::fleet::synthetic
