#include "fleet/synthetic/identity.h"

#include <fmt/format.h>

#include "fleet/synthetic/random_stream.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr std::uint64_t kHostsOfPool = 50;
constexpr int kFirstYear = 17, kYears = 2, kWeeks = 52;
constexpr std::uint64_t kSerials = 200'000;

std::string uuid(std::uint64_t high, std::uint64_t low) {
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xffff,
                     low >> 48, low & 0xffff'ffff'ffff);
}

// Version 4: 122 random bits.
std::string random_uuid(RandomStream random) {
  const std::uint64_t high = random.bits(), low = random.bits();
  return uuid((high & ~std::uint64_t{0xf000}) | 0x4000,
              (low & (~std::uint64_t{0} >> 2)) | std::uint64_t{1} << 63);
}

}  // namespace

std::string host_name(std::uint64_t seed, std::uint64_t host) {
  RandomStream random(seed, Purpose::pool, host / kHostsOfPool);
  const std::uint64_t high = random.bits(), low = random.bits(), number = host % kHostsOfPool;
  const auto digit = [](std::uint64_t value) {
    return static_cast<char>(value < 10 ? '0' + value : 'A' + (value - 10));
  };
  return fmt::format("{:016x}{:016x}0000{}{}", high, low, digit(number / 36), digit(number % 36));
}

std::string gpu_serial(std::uint64_t seed, std::uint64_t host, std::uint64_t gpu) {
  RandomStream random(seed, Purpose::serial, host, gpu);
  const std::uint64_t week = 1 + random.below(kWeeks), year = kFirstYear + random.below(kYears);
  return fmt::format("032{:02}{:02}{:06}", week, year, random.below(kSerials));
}

std::string gpu_uuid(std::uint64_t seed, std::uint64_t host, std::uint64_t gpu) {
  RandomStream random(seed, Purpose::gpu_name, host, gpu);
  const std::uint64_t high = random.bits();
  return "GPU-" + uuid(high, random.bits());
}

std::string job_id(std::uint64_t seed, int level) {
  return fmt::format("{}lvl{}-{}", kJobMark, level,
                     random_uuid({seed, Purpose::jobs, static_cast<std::uint64_t>(level)}));
}

std::string task_id(std::uint64_t seed, std::uint64_t host, std::uint64_t task) {
  return random_uuid({seed, Purpose::task_name, host, task});
}

}  // namespace ergon::fleet::synthetic
