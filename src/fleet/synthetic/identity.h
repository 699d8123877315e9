#pragma once

#include <cstdint>
#include <string>

namespace ergon::fleet::synthetic {

// Names in the formats of the study.

// "95b4ae6d890e4c46986d91d7ac4bf08200000Q": a pool of 50 hosts, and a number in base 36.
std::string host_name(std::uint64_t seed, std::uint64_t host);

// "0323617043149": a zero, a site, week and year, and a serial number.
std::string gpu_serial(std::uint64_t seed, std::uint64_t host, std::uint64_t gpu);
// "GPU-7910951c-c231-c8bf-7068-0545fdbff404".
std::string gpu_uuid(std::uint64_t seed, std::uint64_t host, std::uint64_t gpu);

// "simulated-lvl12-7e026be3-...": the prefix marks the files as simulated. Job names of the study begin with
// the number of GPUs.
inline constexpr const char* kJobMark = "simulated-";
std::string job_id(std::uint64_t seed, int level);

// "844c4341-0884-4ca9-9518-e0f2893f0252".
std::string task_id(std::uint64_t seed, std::uint64_t host, std::uint64_t task);

}  // namespace ergon::fleet::synthetic
