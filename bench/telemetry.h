#pragma once

#include <cstddef>
#include <filesystem>

namespace ergon::bench {

// Writes about `target_bytes` of telemetry as a fleet of 1,024 GPUs would log it, one row per GPU and round:
// timestamp, host, serial and UUID quoted, then power, temperature and two utilizations. Deterministic.
bool write_telemetry(const std::filesystem::path& path, std::size_t target_bytes);

}  // namespace ergon::bench
