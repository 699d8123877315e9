#include "machine.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ergon::test {

Machine::Machine(const std::string& scenario, bool initialize) {
  std::string name = (std::filesystem::temp_directory_path() / "ergon-machine-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
  write_scenario(scenario);
  setenv("ERGON_FAKE_NVML", (folder_ / "scenario.json").c_str(), 1);
  setenv("ERGON_FAKE_NVML_STATE", (folder_ / "state").c_str(), 1);
  if (initialize) {
    EXPECT_EQ(NVML(Init_v2)(), Return::success);
  }
}

Machine::~Machine() {
  while (NVML(Shutdown)() == Return::success) {
  }
  std::filesystem::remove_all(folder_);
}

void Machine::write_scenario(const std::string& scenario) const {
  std::ofstream(folder_ / "scenario.json") << scenario;
}

nvml::DeviceHandle Machine::device(unsigned index) const {
  nvml::DeviceHandle handle = nullptr;
  EXPECT_EQ(NVML(DeviceGetHandleByIndex_v2)(index, &handle), Return::success);
  return handle;
}

unsigned Machine::power_mw(unsigned index) const {
  unsigned power = 0;
  EXPECT_EQ(NVML(DeviceGetPowerUsage)(device(index), &power), Return::success);
  return power;
}

unsigned long long Machine::energy_mj(unsigned index) const {
  unsigned long long energy = 0;
  EXPECT_EQ(NVML(DeviceGetTotalEnergyConsumption)(device(index), &energy), Return::success);
  return energy;
}

unsigned Machine::core_mhz(unsigned index) const {
  unsigned clock = 0;
  EXPECT_EQ(NVML(DeviceGetClockInfo)(device(index), nvml::ClockType::sm, &clock), Return::success);
  return clock;
}

ErgonFakeNvmlTruth Machine::truth(unsigned index) const {
  ErgonFakeNvmlTruth truth{};
  EXPECT_EQ(OWN(truth)(index, &truth), 0);
  return truth;
}

std::vector<unsigned> Machine::processes(unsigned index) const {
  nvml::ProcessInfo infos[16];
  unsigned count = 16;
  EXPECT_EQ(NVML(DeviceGetComputeRunningProcesses_v3)(device(index), &count, infos), Return::success);
  std::vector<unsigned> pids;
  for (unsigned i = 0; i < count; ++i) pids.push_back(infos[i].pid);
  return pids;
}

ErgonFakeNvmlLoad resnet(long long batch, long long iterations) {
  return {"resnet50", batch, nullptr, nullptr, iterations};
}

BackgroundProcess::BackgroundProcess(const std::vector<std::string>& arguments) : pid_(fork()) {
  if (pid_ != 0) return;
  std::string program = ERGON_PROGRAMS "/fake-gpu";
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers{program.data()};
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  if (freopen("/dev/null", "w", stdout) != nullptr) execv(program.c_str(), pointers.data());
  _exit(127);
}

BackgroundProcess::~BackgroundProcess() {
  if (waited_) return;
  kill();
  wait();
}

void BackgroundProcess::kill() { ::kill(pid_, SIGKILL); }

int BackgroundProcess::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  waited_ = true;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace ergon::test
