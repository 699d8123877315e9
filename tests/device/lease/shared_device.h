#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <vector>

#include "device/device.h"

namespace ergon::test {

inline constexpr std::array kControls{device::Control::power_limit, device::Control::core_clock,
                                      device::Control::memory_clock};

// Simulated outcome of writing a control.
enum class WriteFault : std::uint8_t {
  none,
  refuses,     // permission error, nothing changes
  fails,       // I/O error, nothing changes
  fails_late,  // I/O error after the change
};

// A value without pointers, for shared memory.
struct PlainValue {
  double power = 0;
  bool locked = false;
  double min = 0, max = 0;

  static PlainValue of(const device::ControlValue& value) {
    if (value.power_limit) return {.power = value.power_limit->si()};
    if (value.clocks) return {0, true, value.clocks->min.si(), value.clocks->max.si()};
    return {};
  }
  device::ControlValue as(device::Control control) const {
    if (control == device::Control::power_limit) return {.power_limit = Watts{power}};
    if (!locked) return {};
    return {.clocks = device::ClockRange{Hertz{min}, Hertz{max}}};
  }
  friend bool operator==(const PlainValue&, const PlainValue&) = default;
};

using PlainState = std::array<PlainValue, kControls.size()>;

struct Written {
  device::Control control;
  PlainValue from, to;
};

// A device whose settings survive the process that set them, like those of a driver. They are in memory
// shared by forked processes.
class SharedDevice final : public device::Device, private device::Controls {
 public:
  explicit SharedDevice(std::string uuid = "GPU-5fb1/0") : identity_{"gpu0", std::move(uuid), "Shared", {}} {
    void* const memory =
        ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memory_ = new (memory) Memory;
    memory_->now[0].power = 300;
  }
  ~SharedDevice() override { ::munmap(memory_, sizeof(Memory)); }

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return true; }
  device::Controls* controls(device::LeaseKey) override { return controllable ? this : nullptr; }

  PlainState& state() { return memory_->now; }
  device::ControlValue now(device::Control control) const { return memory_->now[index(control)].as(control); }
  void hide(device::Control control) { memory_->hidden[index(control)] = true; }
  void tell_all() { memory_->hidden = {}; }
  void break_reading(device::Control control, bool broken = true) {
    memory_->unreadable[index(control)] = broken;
  }
  void fault(device::Control control, WriteFault fault) { memory_->fault[index(control)] = fault; }
  void no_trouble() { memory_->fault = {}; }

  // All writes of all processes in order, successful or not.
  std::vector<Written> writes() const {
    return {memory_->writes.begin(), memory_->writes.begin() + static_cast<std::ptrdiff_t>(memory_->count)};
  }
  void forget_writes() { memory_->count = 0; }

  bool controllable = true;
  std::function<void(device::Control)> before_write;

 private:
  struct Memory {
    PlainState now;
    std::array<bool, kControls.size()> hidden{};
    std::array<bool, kControls.size()> unreadable{};
    std::array<WriteFault, kControls.size()> fault{};
    std::size_t count = 0;
    std::array<Written, 256> writes{};
  };

  static std::size_t index(device::Control control) { return static_cast<std::size_t>(control); }

  Result<device::ControlValue> read(device::Control control) override {
    if (memory_->unreadable[index(control)]) return fail(Errc::io, "the bus is broken");
    if (memory_->hidden[index(control)]) return fail(Errc::unsupported, "locked clocks are not told");
    return now(control);
  }
  Result<> write(device::Control control, const device::ControlValue& value) override {
    if (before_write) before_write(control);
    PlainValue& now = memory_->now[index(control)];
    const WriteFault fault = memory_->fault[index(control)];
    if (memory_->count < memory_->writes.size()) {
      memory_->writes[memory_->count++] = {control, now, PlainValue::of(value)};
    }
    if (fault == WriteFault::refuses) return fail(Errc::permission, "only root may");
    if (fault == WriteFault::fails) return fail(Errc::io, "the bus is broken");
    now = PlainValue::of(value);
    if (fault == WriteFault::fails_late) return fail(Errc::io, "the bus is broken");
    return {};
  }

  device::Identity identity_;
  device::Capabilities capabilities_;
  Memory* memory_ = nullptr;
};

}  // namespace ergon::test
