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

// What comes of writing a control.
enum class Trouble : std::uint8_t {
  none,
  refuses,     // says no, and nothing changes
  fails,       // breaks, and nothing changes
  fails_late,  // breaks after the change
};

// A value in plain memory.
struct PlainValue {
  double power = 0;
  bool locked = false;
  double least = 0, most = 0;

  static PlainValue of(const device::ControlValue& value) {
    if (value.power_limit) return {.power = value.power_limit->si()};
    if (value.clocks) return {0, true, value.clocks->least.si(), value.clocks->most.si()};
    return {};
  }
  device::ControlValue as(device::Control control) const {
    if (control == device::Control::power_limit) return {.power_limit = Watts{power}};
    if (!locked) return {};
    return {.clocks = device::ClockRange{Hertz{least}, Hertz{most}}};
  }
  friend bool operator==(const PlainValue&, const PlainValue&) = default;
};

using PlainState = std::array<PlainValue, kControls.size()>;

struct Written {
  device::Control control;
  PlainValue from, to;
};

// A device whose settings outlive the process that made them, as those of a driver do: they are in memory
// that forked processes share.
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
  void trouble(device::Control control, Trouble trouble) { memory_->trouble[index(control)] = trouble; }
  void no_trouble() { memory_->trouble = {}; }

  // Of all processes, successful or not, in their order.
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
    std::array<Trouble, kControls.size()> trouble{};
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
    const Trouble trouble = memory_->trouble[index(control)];
    if (memory_->count < memory_->writes.size()) {
      memory_->writes[memory_->count++] = {control, now, PlainValue::of(value)};
    }
    if (trouble == Trouble::refuses) return fail(Errc::permission, "only root may");
    if (trouble == Trouble::fails) return fail(Errc::io, "the bus is broken");
    now = PlainValue::of(value);
    if (trouble == Trouble::fails_late) return fail(Errc::io, "the bus is broken");
    return {};
  }

  device::Identity identity_;
  device::Capabilities capabilities_;
  Memory* memory_ = nullptr;
};

}  // namespace ergon::test
