#include <ergon/measure.h>

#include "api/access.h"
#include "api/convert.h"
#include "api/measurement_details.h"
#include "meter/meter.h"

namespace ergon {

struct Meter::State {
  SystemClock clock;
  std::vector<std::shared_ptr<device::Device>> devices;  // outlive the meter
  std::unique_ptr<meter::Meter> meter;
};

struct Window::State {
  std::shared_ptr<void> meter;  // outlives the window
  meter::Window window;
  bool reported = false;
};

Window::Window(std::unique_ptr<State> state) : state_(std::move(state)) {}
Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;
Window::~Window() = default;

void Window::end() { state_->window.close(); }

Result<Measurement> Window::measurement(const std::stop_token& stop) {
  if (state_->reported) return fail(Errc::invalid_input, "the window was already reported");
  auto measured = state_->window.measurement(stop);
  if (!measured) {
    state_->reported = measured.error().kind != Errc::cancelled;
    return measured.error();
  }
  state_->reported = true;
  Measurement to = api::measurement_of(*measured);
  to.details = std::make_shared<const MeasurementDetails>(MeasurementDetails{std::move(*measured)});
  return to;
}

bool Window::available() { return !state_->reported && state_->window.available(); }

Meter::Meter(std::shared_ptr<State> state) : state_(std::move(state)) {}
Meter::Meter(Meter&&) noexcept = default;
Meter& Meter::operator=(Meter&&) noexcept = default;
Meter::~Meter() = default;

Result<Meter> Meter::start(const std::vector<Device>& devices, const MeterOptions& options,
                           const std::stop_token& stop) {
  auto state = std::make_shared<State>();
  std::vector<device::Device*> read;
  for (const Device& each : devices) {
    state->devices.push_back(Access::device(each));
    read.push_back(state->devices.back().get());
  }
  auto started =
      meter::Meter::start(read, state->clock, {.period = options.period, .prompt = options.prompt}, stop);
  if (!started) return started.error();
  state->meter = std::move(*started);
  return Meter(std::move(state));
}

Window Meter::begin() {
  return Window(std::make_unique<Window::State>(Window::State{state_, state_->meter->open()}));
}

}  // namespace ergon
