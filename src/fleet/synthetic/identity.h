#pragma once

#include <cstdint>
#include <string>

namespace ergon::fleet::synthetic {

// Names as the study's cloud and GPUs had them.

// "95b4ae6d890e4c46986d91d7ac4bf08200000Q": a pool of fifty hosts, and a number to the base of 36.
std::string host_name(std::uint64_t seed, std::uint64_t host);

// "0323617043149": a nought, a place, week and year, and a running number.
std::string gpu_serial(std::uint64_t seed, std::uint64_t host, std::uint64_t gpu);
// "GPU-7910951c-c231-c8bf-7068-0545fdbff404".
std::string gpu_uuid(std::uint64_t seed, std::uint64_t host, std::uint64_t gpu);

// "simulated-lvl12-7e026be3-...": the one field in which the files can say what they are. The study's begin
// with its number of GPUs.
inline constexpr const char* kJobMark = "simulated-";
std::string job_id(std::uint64_t seed, int level);

// "844c4341-0884-4ca9-9518-e0f2893f0252".
std::string task_id(std::uint64_t seed, std::uint64_t host, std::uint64_t task);

}  // namespace ergon::fleet::synthetic
