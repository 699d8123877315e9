// Machines with several GPUs: affinity, distances, peer access, NVLink; and what differs between boards.

#include <unistd.h>

#include "machine.h"

namespace ergon::test {
namespace {

using nvml::DeviceHandle;
using Affinity = Return(DeviceHandle, unsigned, unsigned long*);
using ScopedAffinity = Return(DeviceHandle, unsigned, unsigned long*, unsigned);
using Nearest = Return(DeviceHandle, nvml::TopologyLevel, unsigned*, DeviceHandle*);
using OfTwo = Return(DeviceHandle, DeviceHandle, int*);
using PeerStatus = Return(DeviceHandle, DeviceHandle, int, int*);
using OfLink = Return(DeviceHandle, unsigned, unsigned*);
using OfLinkCapability = Return(DeviceHandle, unsigned, unsigned, unsigned*);
using LinkPci = Return(DeviceHandle, unsigned, nvml::PciInfo*);
using Rows = Return(DeviceHandle, unsigned*, unsigned*, unsigned*, unsigned*);
using Histogram = Return(DeviceHandle, unsigned*);

constexpr const char* kServer =
    R"({"devices": ["h200", "h200", "a100-sxm-80", "rtx2080ti", "a40", "a40"], "sockets": 2})";
constexpr int kOk = 0, kGpuNotSupported = 2, kNotSupported = 5;

int peer_status(const Machine& machine, unsigned first, unsigned second, int access) {
  int status = -1;
  EXPECT_EQ(symbol<PeerStatus>("nvmlDeviceGetP2PStatus")(machine.device(first), machine.device(second),
                                                         access, &status),
            Return::success);
  return status;
}

std::size_t cpus_of(const Machine& machine, unsigned gpu) {
  unsigned long words[64] = {};
  EXPECT_EQ(symbol<Affinity>("nvmlDeviceGetCpuAffinity")(machine.device(gpu), 64, words), Return::success);
  std::size_t count = 0;
  for (const unsigned long word : words) count += static_cast<std::size_t>(__builtin_popcountl(word));
  return count;
}

TEST(SeveralGpus, ASingleSocketHasAllCpus) {
  const Machine machine(R"({"devices": ["h200", "h200"]})");
  const auto all = static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_EQ(cpus_of(machine, 0), all);
  EXPECT_EQ(cpus_of(machine, 1), all);
}

TEST(SeveralGpus, SocketsDivideTheCpus) {
  const Machine machine(kServer);
  const auto all = static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_EQ(cpus_of(machine, 0), cpus_of(machine, 2));
  EXPECT_EQ(cpus_of(machine, 0) + cpus_of(machine, 5), all);
  unsigned long node = 0;
  auto* const memory = symbol<ScopedAffinity>("nvmlDeviceGetMemoryAffinity");
  EXPECT_EQ(memory(machine.device(0), 1, &node, 0), Return::success);
  EXPECT_EQ(node, 1U);
  EXPECT_EQ(memory(machine.device(5), 1, &node, 1), Return::success);
  EXPECT_EQ(node, 2U);
}

// As an H200 with driver 580 answers.
TEST(SeveralGpus, AffinityRejectsEmptySetsAndUnknownScopes) {
  const Machine machine(kServer);
  unsigned long word = 0;
  auto* const cpus = symbol<Affinity>("nvmlDeviceGetCpuAffinity");
  EXPECT_EQ(cpus(machine.device(), 0, &word), Return::invalid_argument);
  EXPECT_EQ(cpus(machine.device(), 1, nullptr), Return::invalid_argument);
  for (const char* const name : {"nvmlDeviceGetCpuAffinityWithinScope", "nvmlDeviceGetMemoryAffinity"}) {
    auto* const scoped = symbol<ScopedAffinity>(name);
    EXPECT_EQ(scoped(machine.device(), 1, &word, 0), Return::success) << name;
    EXPECT_EQ(scoped(machine.device(), 1, &word, 1), Return::success) << name;
    EXPECT_EQ(scoped(machine.device(), 1, &word, 2), Return::invalid_argument) << name;
  }
}

TEST(SeveralGpus, DistancesFollowTheSockets) {
  const Machine machine(kServer);
  const auto level = [&](unsigned first, unsigned second) {
    nvml::TopologyLevel found{};
    EXPECT_EQ(NVML(DeviceGetTopologyCommonAncestor)(machine.device(first), machine.device(second), &found),
              Return::success);
    return found;
  };
  EXPECT_EQ(level(0, 1), nvml::TopologyLevel::node);
  EXPECT_EQ(level(0, 3), nvml::TopologyLevel::system);
  EXPECT_EQ(level(3, 0), nvml::TopologyLevel::system);
  nvml::TopologyLevel none{};
  EXPECT_EQ(NVML(DeviceGetTopologyCommonAncestor)(machine.device(), machine.device(), &none),
            Return::not_supported);
  int same = -1;
  auto* const on_same_board = symbol<OfTwo>("nvmlDeviceOnSameBoard");
  EXPECT_EQ(on_same_board(machine.device(0), machine.device(0), &same), Return::success);
  EXPECT_EQ(same, 1);
  EXPECT_EQ(on_same_board(machine.device(0), machine.device(1), &same), Return::success);
  EXPECT_EQ(same, 0);
}

TEST(SeveralGpus, NearestGpusAreListedByLevel) {
  const Machine machine(kServer);
  auto* const nearest = symbol<Nearest>("nvmlDeviceGetTopologyNearestGpus");
  unsigned count = 0;
  EXPECT_EQ(nearest(machine.device(0), nvml::TopologyLevel::node, &count, nullptr), Return::success);
  EXPECT_EQ(count, 2U);
  DeviceHandle near[6] = {};
  EXPECT_EQ(nearest(machine.device(0), nvml::TopologyLevel::node, &count, near), Return::success);
  EXPECT_EQ(near[0], machine.device(1));
  EXPECT_EQ(near[1], machine.device(2));
  count = 6;
  EXPECT_EQ(nearest(machine.device(0), nvml::TopologyLevel::system, &count, near), Return::success);
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(near[2], machine.device(5));
  count = 0;
  EXPECT_EQ(nearest(machine.device(0), nvml::TopologyLevel::single, &count, nullptr), Return::success);
  EXPECT_EQ(count, 0U);
}

TEST(SeveralGpus, PeersNeedTheSameProduct) {
  const Machine machine(kServer);
  for (int access = 0; access < 5; ++access) {
    EXPECT_EQ(peer_status(machine, 0, 1, access), kOk);
    EXPECT_EQ(peer_status(machine, 0, 0, access), kNotSupported);  // as on an H200
    EXPECT_EQ(peer_status(machine, 0, 2, access), kNotSupported);
    EXPECT_EQ(peer_status(machine, 0, 3, access), kGpuNotSupported);
    const bool over_pcie = access != 2 && access != 3;  // no NVLink, no atomics
    EXPECT_EQ(peer_status(machine, 4, 5, access), over_pcie ? kOk : kNotSupported);
  }
}

TEST(SeveralGpus, NvlinkConnectsBoardsOfOneProduct) {
  const Machine machine(kServer);
  auto* const state = symbol<OfLink>("nvmlDeviceGetNvLinkState");
  auto* const capability = symbol<OfLinkCapability>("nvmlDeviceGetNvLinkCapability");
  unsigned value = 0;
  EXPECT_EQ(state(machine.device(0), 17, &value), Return::success);
  EXPECT_EQ(value, 1U);
  EXPECT_EQ(state(machine.device(0), 18, &value), Return::invalid_argument);
  for (unsigned which = 0; which < 6; ++which) {
    EXPECT_EQ(capability(machine.device(1), 0, which, &value), Return::success);
    EXPECT_EQ(value, which == 4 ? 0U : 1U);  // all but an SLI bridge
  }
  EXPECT_EQ(capability(machine.device(1), 0, 6, &value), Return::invalid_argument);
  EXPECT_EQ(symbol<OfLink>("nvmlDeviceGetNvLinkVersion")(machine.device(0), 0, &value), Return::success);
  EXPECT_EQ(value, 6U);  // NVML_NVLINK_VERSION_4_0
  EXPECT_EQ(symbol<OfLink>("nvmlDeviceGetNvLinkRemoteDeviceType")(machine.device(0), 0, &value),
            Return::success);
  EXPECT_EQ(value, 2U);  // a switch
  using ErrorCounter = Return(DeviceHandle, unsigned, unsigned, unsigned long long*);
  using Reset = Return(DeviceHandle, unsigned);
  unsigned long long errors = 9;
  auto* const reset = symbol<Reset>("nvmlDeviceResetNvLinkErrorCounters");
  EXPECT_EQ(symbol<ErrorCounter>("nvmlDeviceGetNvLinkErrorCounter")(machine.device(0), 0, 0, &errors),
            Return::success);
  EXPECT_EQ(errors, 0U);
  EXPECT_EQ(reset(machine.device(0), 0), Return::success);
  EXPECT_EQ(reset(machine.device(2), 0), Return::not_supported);
  nvml::PciInfo pci{};
  EXPECT_EQ(symbol<LinkPci>("nvmlDeviceGetNvLinkRemotePciInfo_v2")(machine.device(0), 0, &pci),
            Return::success);
  EXPECT_STREQ(pci.bus_id, "00000000:C0:00.0");
  nvml::FieldValue links{.field = nvml::field::kNvlinkLinkCount};
  EXPECT_EQ(NVML(DeviceGetFieldValues)(machine.device(0), 1, &links), Return::success);
  EXPECT_EQ(links.status, Return::success);
  EXPECT_EQ(links.value.uint32, 18U);
}

// A single SXM board and PCIe boards: as an H200 alone answers.
TEST(SeveralGpus, OthersHaveNoNvlink) {
  const Machine machine(kServer);
  unsigned value = 0;
  for (const unsigned gpu : {2U, 3U, 4U}) {
    EXPECT_EQ(symbol<OfLink>("nvmlDeviceGetNvLinkState")(machine.device(gpu), 0, &value),
              Return::not_supported);
    auto* const capability = symbol<OfLinkCapability>("nvmlDeviceGetNvLinkCapability");
    EXPECT_EQ(capability(machine.device(gpu), 17, 0, &value), Return::not_supported);
    EXPECT_EQ(capability(machine.device(gpu), 18, 0, &value), Return::invalid_argument);
    nvml::FieldValue links{.field = nvml::field::kNvlinkLinkCount};
    EXPECT_EQ(NVML(DeviceGetFieldValues)(machine.device(gpu), 1, &links), Return::success);
    EXPECT_EQ(links.status, Return::not_supported);
  }
}

TEST(SeveralGpus, GeForceHasNoSerialNumber) {
  const Machine machine(
      R"({"devices": ["h200", {"twin": "rtx2080ti", "serial": "4711"}, {"twin": "h200", "serial": "4712"}]})");
  char serial[nvml::kSerialSize] = "unchanged";
  EXPECT_EQ(NVML(DeviceGetSerial)(machine.device(1), serial, sizeof serial), Return::not_supported);
  EXPECT_STREQ(serial, "unchanged");
  DeviceHandle found = nullptr;
  EXPECT_EQ(NVML(DeviceGetHandleBySerial)("4711", &found), Return::not_found);
  EXPECT_EQ(NVML(DeviceGetHandleBySerial)("4712", &found), Return::success);
  EXPECT_EQ(NVML(DeviceGetSerial)(machine.device(0), serial, sizeof serial), Return::success);
  EXPECT_EQ(std::string(serial).size(), 13U);
}

TEST(SeveralGpus, RowsAreRemappedFromAmpereOnAndPagesRetiredBefore) {
  const Machine machine(R"({"devices": ["h200", "v100", "rtx2080ti", "a30"]})");
  const auto rows = [&](unsigned gpu) {
    unsigned corrected = 9, uncorrected = 9, pending = 9, failed = 9;
    const Return result = symbol<Rows>("nvmlDeviceGetRemappedRows")(machine.device(gpu), &corrected,
                                                                    &uncorrected, &pending, &failed);
    EXPECT_EQ(corrected + uncorrected + pending + failed, result == Return::success ? 0U : 36U);
    return result;
  };
  EXPECT_EQ(rows(0), Return::success);
  EXPECT_EQ(rows(1), Return::not_supported);
  EXPECT_EQ(rows(2), Return::not_supported);
  EXPECT_EQ(rows(3), Return::success);
  unsigned banks[5] = {};
  auto* const histogram = symbol<Histogram>("nvmlDeviceGetRowRemapperHistogram");
  EXPECT_EQ(histogram(machine.device(0), banks), Return::success);
  EXPECT_EQ(banks[0], 3072U);
  EXPECT_EQ(histogram(machine.device(1), banks), Return::not_supported);
  unsigned count = 9;
  using Pages = Return(DeviceHandle, int, unsigned*, unsigned long long*);
  auto* const pages = symbol<Pages>("nvmlDeviceGetRetiredPages");
  EXPECT_EQ(pages(machine.device(0), 0, &count, nullptr), Return::not_supported);
  EXPECT_EQ(pages(machine.device(1), 0, &count, nullptr), Return::success);
  EXPECT_EQ(count, 0U);
}

}  // namespace
}  // namespace ergon::test
