// Programs of others on the library: nvidia-smi, pynvml, gpustat, nvtop (Debian's contrib and non-free). A
// test is skipped where its program is not installed.

#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.h"
#include "machine.h"
#include "support/process.h"

namespace ergon::test {
namespace {

constexpr const char* kClientServer =
    R"({"devices": ["h200", "h200", "a100-sxm-80", "rtx2080ti", "p100", "a40"], "sockets": 2})";

// Programs without a sanitizer cannot load a library with one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLoadable = false;
#else
constexpr bool kLoadable = true;
#endif

// The path of an installed program; "" if there is none. The variable names one that is not on the PATH.
std::string program_called(const std::string& name, const char* variable) {
  const char* const given = std::getenv(variable);
  if (given != nullptr && *given != '\0') return given;
  std::string path = run_shell("command -v " + name).out;
  return path.substr(0, path.find('\n'));
}

// Runs a client on the library of the build.
ProcessResult run_client(const std::string& command) {
  const std::string library = ERGON_FAKE_NVML_LIBRARY;
  const char* const others = std::getenv("LD_LIBRARY_PATH");
  return run_shell("timeout 30 " + command, ".",
                   {{"LD_LIBRARY_PATH", library.substr(0, library.rfind('/')) + ":" + (others ? others : "")},
                    {"LC_ALL", "C.UTF-8"}});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class NvidiaSmi : public testing::Test {
 protected:
  void SetUp() override {
    if (!kLoadable) GTEST_SKIP() << "a library with a sanitizer";
    program_ = program_called("nvidia-smi", "ERGON_TEST_NVIDIA_SMI");
    if (program_.empty()) program_ = "/usr/lib/nvidia/current/nvidia-smi";  // Debian, without alternatives
    if (access(program_.c_str(), X_OK) != 0) GTEST_SKIP() << "nvidia-smi is not installed";
    // The table of internal functions is known for this version.
    const std::string help = run_client(program_ + " -h").out;
    const std::string title = help.substr(0, help.find('\n'));
    if (!contains(title, " v535.")) GTEST_SKIP() << "nvidia-smi is not of version 535: " << title;
  }

  // Fails the test if the command fails.
  std::string smi(const std::string& options) const {
    const ProcessResult result = run_client(program_ + " " + options);
    EXPECT_EQ(result.exit_code, 0) << options << "\n" << result.out << result.err;
    return result.out;
  }

  std::string program_;
};

TEST_F(NvidiaSmi, ShowsGpusAndProcesses) {
  const Machine machine(kClientServer);
  const BackgroundProcess load({"run", "resnet50", "--gpu", "1"});
  ASSERT_TRUE(eventually([&] { return !machine.processes(1).empty(); }));
  const std::string out = smi("");
  EXPECT_TRUE(contains(out, "NVIDIA H200")) << out;
  EXPECT_TRUE(contains(out, "Tesla P100-PCIE-16GB")) << out;
  EXPECT_TRUE(contains(out, "580.159.04")) << out;
  EXPECT_TRUE(contains(out, fmt::format("{}      C   ", load.pid()))) << out;
  EXPECT_TRUE(contains(out, "fake-gpu")) << out;
  EXPECT_FALSE(contains(out, "Mismatch")) << out;
  const std::string listed = smi("--query-compute-apps=pid,name,used_memory --format=csv,noheader");
  EXPECT_TRUE(listed.starts_with(fmt::format("{}, ", load.pid()))) << listed;
  EXPECT_TRUE(contains(listed, "/fake-gpu, ")) << listed;
}

// As on a driver of another version.
TEST_F(NvidiaSmi, NeedsTheTableOfInternalFunctions) {
  const Machine machine(R"({"absent": ["nvmlInternalGetExportTable"]})");
  const ProcessResult result = run_client(program_);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out + result.err, "Mismatch in versions")) << result.out << result.err;
}

TEST_F(NvidiaSmi, QueriesPowerAndLimits) {
  const Machine machine(kClientServer);
  const std::string out =
      smi("--query-gpu=name,serial,enforced.power.limit,power.draw,power.draw.average,power.draw.instant "
          "--format=csv,noheader,nounits");
  std::vector<std::vector<std::string_view>> rows;
  for (const std::string_view line : split(out, '\n')) {
    if (!line.empty()) rows.push_back(split(line, ','));
  }
  ASSERT_EQ(rows.size(), 6U) << out;
  const auto& h200 = rows[0];
  const auto& geforce = rows[3];
  const auto& p100 = rows[4];
  const auto& a40 = rows[5];
  EXPECT_EQ(h200[2], " 700.00");
  EXPECT_EQ(h200[1].size(), 14U);
  EXPECT_EQ(geforce[1], " [N/A]");
  EXPECT_EQ(h200[3], h200[4]);  // power.draw is the average
  EXPECT_EQ(a40[3], a40[4]);
  EXPECT_EQ(p100[4], " [N/A]");  // no average
  EXPECT_EQ(p100[3], p100[5]);   // power.draw is instant
  EXPECT_GT(std::stod(std::string(p100[5])), 10);
}

TEST_F(NvidiaSmi, MonitorsProcessesAndDevices) {
  const Machine machine(R"({"devices": ["h200", "v100"]})");
  const BackgroundProcess load({"run", "resnet50", "--batch", "64"});
  ASSERT_TRUE(eventually([&] { return !machine.processes().empty(); }));
  const std::string processes = smi("pmon -c 1");
  EXPECT_TRUE(contains(processes, fmt::format("{}     C ", load.pid()))) << processes;
  EXPECT_TRUE(contains(processes, "fake-gpu")) << processes;
  const std::string line = processes.substr(processes.find(std::to_string(load.pid())));
  EXPECT_GT(std::stoi(line.substr(line.find('C') + 1)), 50) << processes;  // SM utilization
  const std::string devices = smi("dmon -c 1 -s p");
  EXPECT_TRUE(contains(devices, "# gpu")) << devices;
  EXPECT_TRUE(contains(devices, "    1 ")) << devices;
}

TEST_F(NvidiaSmi, ShowsTheTopology) {
  const Machine machine(kClientServer);
  const std::string matrix = smi("topo -m");
  EXPECT_TRUE(contains(matrix, "GPU0\t X \tNV18\tNODE\tSYS\tSYS\tSYS")) << matrix;
  EXPECT_TRUE(contains(matrix, "GPU5\tSYS\tSYS\tSYS\tNODE\tNODE\t X ")) << matrix;
  const std::string peers = smi("topo -p2p r");
  EXPECT_TRUE(contains(peers, "GPU0\tX\tOK\tNS\tGNS\tNS\tNS")) << peers;
  const std::string links = smi("nvlink -s -i 0");
  EXPECT_TRUE(contains(links, "Link 17: 26.562 GB/s")) << links;
}

TEST_F(NvidiaSmi, SetsThePowerLimit) {
  if (geteuid() != 0) GTEST_SKIP() << "nvidia-smi sets limits as root only";
  const Machine machine(R"({"devices": ["h200"]})");
  smi("-i 0 -pl 400");
  unsigned limit = 0;
  EXPECT_EQ(NVML(DeviceGetEnforcedPowerLimit)(machine.device(), &limit), Return::success);
  EXPECT_EQ(limit, 400'000U);
}

TEST_F(NvidiaSmi, ShowsAllOfEveryTwin) {
  const Machine machine(
      R"({"devices": ["h200", "h100", "a100-sxm-80", "a30", "a40", "rtx2080ti", "rtx6000", "v100",
                                        "p100", "p40"]})");
  const std::string out = smi("-q");
  EXPECT_FALSE(contains(out, "Unknown Error")) << out;
  EXPECT_FALSE(contains(out, "GPU is lost")) << out;
  EXPECT_TRUE(contains(out, "3072 bank(s)")) << out;
}

class Pynvml : public testing::Test {
 protected:
  void SetUp() override {
    if (!kLoadable) GTEST_SKIP() << "a library with a sanitizer";
    python_ = program_called("python3", "ERGON_TEST_PYTHON");
    if (python_.empty() || run_client(python_ + " -c 'import pynvml'").exit_code != 0)
      GTEST_SKIP() << "python3-pynvml is not installed";
  }

  std::string python_;
};

// Every function of pynvml that reads a device or two and needs no other argument returns a value or "not
// supported".
TEST_F(Pynvml, EveryReadingIsAValueOrNotSupported) {
  const Machine machine(kClientServer);
  const ProcessResult result = run_client(python_ + R"( -c '
import inspect, pynvml as n
n.nvmlInit()
gpus = [n.nvmlDeviceGetHandleByIndex(i) for i in range(n.nvmlDeviceGetCount())]
tried = served = 0
for name, function in sorted(vars(n).items()):
    if not name.startswith("nvmlDeviceGet") or any(w in name for w in ("Vgpu", "HandleBy", "FieldValues")): continue
    parameters = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    for gpu in gpus:
        other = gpus[0] if gpu is not gpus[0] else gpus[1]
        arguments = {1: (gpu,), 2: (gpu, other) if "Topology" in name else (gpu, 0)}.get(len(parameters))
        if arguments is None: continue
        tried += 1
        try:
            function(*arguments)
            served += 1
        except (n.NVMLError_NotSupported, n.NVMLError_FunctionNotFound, n.NVMLError_NotFound): pass
        except n.NVMLError_InvalidArgument: pass
        except (TypeError, ValueError, AttributeError): pass  # takes another kind of argument
print(tried, served)
assert tried > 500 and served > 300, (tried, served)
')");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(Pynvml, HandlesEventsAffinityAndFields) {
  const Machine machine(kClientServer);
  const ProcessResult result = run_client(python_ + R"( -c '
import os, time, pynvml as n
n.nvmlInit()
gpu = [n.nvmlDeviceGetHandleByIndex(i) for i in range(6)]
events = n.nvmlEventSetCreate()
n.nvmlDeviceRegisterEvents(gpu[0], n.nvmlDeviceGetSupportedEventTypes(gpu[0]), events)
begin = time.time()
try: n.nvmlEventSetWait_v2(events, 100); raise SystemExit("no timeout")
except n.NVMLError_Timeout: assert time.time() - begin >= 0.1
n.nvmlEventSetFree(events)
words = (os.cpu_count() + 63) // 64
cpus = [n.nvmlDeviceGetCpuAffinity(g, words) for g in gpu]
assert sum(bin(w).count("1") for w in list(cpus[0]) + list(cpus[5])) == os.cpu_count()
assert [len(n.nvmlDeviceGetTopologyNearestGpus(gpu[0], n.NVML_TOPOLOGY_NODE))] == [2]
assert n.nvmlDeviceGetP2PStatus(gpu[0], gpu[1], n.NVML_P2P_CAPS_INDEX_NVLINK) == n.NVML_P2P_STATUS_OK
assert n.nvmlDeviceGetNvLinkState(gpu[0], 0) == n.NVML_FEATURE_ENABLED
assert tuple(n.nvmlDeviceGetRemappedRows(gpu[0])) == (0, 0, 0, 0)
for g in gpu:
    instant = n.nvmlDeviceGetFieldValues(g, [186])[0]
    assert instant.nvmlReturn == 0 and instant.value.uiVal > 5000
try: n.nvmlDeviceGetSerial(gpu[3]); raise SystemExit("GeForce has a serial number")
except n.NVMLError_NotSupported: pass
')");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(Pynvml, GpustatShowsProcesses) {
  if (run_client(python_ + " -c 'import gpustat'").exit_code != 0) GTEST_SKIP() << "gpustat is not installed";
  const Machine machine(kClientServer);
  const BackgroundProcess load({"run", "resnet50", "--gpu", "1"});
  ASSERT_TRUE(eventually([&] { return !machine.processes(1).empty(); }));
  const ProcessResult result = run_client(python_ + " -m gpustat --no-color --show-power --show-pid");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, fmt::format("/{}(", load.pid()))) << result.out;
  EXPECT_TRUE(contains(result.out, "[5] NVIDIA A40")) << result.out;
  EXPECT_TRUE(contains(result.out, " / 700 W")) << result.out;
}

TEST(Nvtop, ShowsTheGpus) {
  if (!kLoadable) GTEST_SKIP() << "a library with a sanitizer";
  const std::string nvtop = program_called("nvtop", "ERGON_TEST_NVTOP");
  if (nvtop.empty()) GTEST_SKIP() << "nvtop is not installed";
  if (program_called("script", "ERGON_TEST_SCRIPT").empty()) GTEST_SKIP() << "script is not installed";
  const Machine machine(R"({"devices": ["h200", "rtx2080ti"]})");
  // nvtop draws on a terminal until it is stopped.
  const ProcessResult result =
      run_client("env TERM=xterm script -qec 'timeout -s INT 3 " + nvtop + "' /dev/null </dev/null");
  EXPECT_TRUE(contains(result.out, "NVIDIA H200")) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "RTX 2080 Ti")) << result.out << result.err;
}

}  // namespace
}  // namespace ergon::test
