// The functions of fake_nvml.h.

#include <cmath>

#include "call_helpers.h"
#include "fake_nvml.h"

namespace ergon::fake_nvml {
namespace {

constexpr int kVersion = 1;
constexpr double kNano = 1e9;

// Body: Return(const GpuCall&).
template <typename Body>
int on(const char* function, unsigned gpu, const Body& body) {
  Library& library = Library::here();
  const Return count = library.call(function, [&](Simulation& simulation) {
    return gpu < simulation.size() ? Return::success : Return::invalid_argument;
  });
  if (count != Return::success) return static_cast<int>(count);
  return static_cast<int>(library.call(function, Library::handle_of(gpu), body));
}

Return to_return(Library& library, const Result<>& result) {
  return result ? Return::success : library.to_return_code(result.error());
}

int commit(const char* function, unsigned gpu, Command command) {
  return on(function, gpu, [&](const GpuCall& at) {
    return to_return(at.library,
                     at.simulation.commit({.command = command, .gpu = at.index, .owner = this_process()}));
  });
}

Result<Record> record_of(const ErgonFakeNvmlLoad& load) {
  Record record{.command = Command::run, .owner = this_process()};
  if (load.network == nullptr) return fail(Errc::invalid_input, "network is null");
  record.load.network = load.network;
  if (load.batch < 0 || load.iterations < 0)
    return fail(Errc::invalid_input, "batch and iterations must be 0 or more");
  record.load.batch = load.batch == 0 ? 1 : load.batch;
  record.first = load.iterations == 0 ? -1 : load.iterations;
  if (load.precision != nullptr) {
    const auto precision = parse_precision(load.precision);
    if (!precision) return precision.error();
    record.load.precision = *precision;
  }
  if (load.mode != nullptr) {
    const auto mode = parse_mode(load.mode);
    if (!mode) return mode.error();
    record.load.mode = *mode;
  }
  return record;
}

}  // namespace
}  // namespace ergon::fake_nvml

using namespace ergon::fake_nvml;  // NOLINT(google-build-using-namespace): the header is C

int ergon_fake_nvml_version(void) { return kVersion; }

const char* ergon_fake_nvml_last_error(void) { return Library::here().last_error().c_str(); }

int ergon_fake_nvml_open_context(unsigned gpu) { return commit(__func__, gpu, Command::open_context); }
int ergon_fake_nvml_close_context(unsigned gpu) { return commit(__func__, gpu, Command::close_context); }
int ergon_fake_nvml_stop(unsigned gpu) { return commit(__func__, gpu, Command::stop); }

int ergon_fake_nvml_run(unsigned gpu, const ErgonFakeNvmlLoad* load) {
  return on(__func__, gpu, [&](const GpuCall& at) {
    if (load == nullptr) return Return::invalid_argument;
    auto record = record_of(*load);
    if (!record) return at.library.to_return_code(record.error());
    record->gpu = at.index;
    return to_return(at.library, at.simulation.commit(*record));
  });
}

int ergon_fake_nvml_now(double* seconds) {
  return static_cast<int>(Library::here().call(__func__, [&](Simulation& simulation) {
    if (seconds == nullptr) return Return::invalid_argument;
    *seconds = static_cast<double>(simulation.now_ns()) / kNano;
    return Return::success;
  }));
}

int ergon_fake_nvml_advance(double seconds) {
  Library& library = Library::here();
  return static_cast<int>(library.call(__func__, [&](Simulation& simulation) {
    constexpr double kMaxSeconds = 1e9;  // Simulation::advance() checks the exact limit
    if (!(seconds >= 0) || seconds > kMaxSeconds) return Return::invalid_argument;
    return to_return(library, simulation.advance(std::llround(seconds * kNano)));
  }));
}

int ergon_fake_nvml_reset(void) {
  Library& library = Library::here();
  return static_cast<int>(library.call(
      __func__, [&](Simulation& simulation) { return to_return(library, simulation.restart()); }));
}

int ergon_fake_nvml_truth(unsigned gpu, ErgonFakeNvmlTruth* truth) {
  return on(__func__, gpu, [&](const GpuCall& at) {
    if (truth == nullptr) return Return::invalid_argument;
    const ergon::device::Twin& twin = at.gpu.twin();
    *truth = {static_cast<double>(at.simulation.now_ns()) / kNano, twin.true_power().si(),
              twin.true_energy().si(), twin.iterations(), twin.running() ? 1 : 0};
    return Return::success;
  });
}

int ergon_fake_nvml_clocks(unsigned gpu, ErgonFakeNvmlClocks* clocks) {
  return on(__func__, gpu, [&](const GpuCall& at) {
    if (clocks == nullptr) return Return::invalid_argument;
    const auto mhz = [](std::int64_t value) { return static_cast<unsigned>(value); };
    const MhzRange core = at.gpu.locked_core().value_or(MhzRange{});
    const MhzRange memory = at.gpu.locked_memory().value_or(MhzRange{});
    const auto application = at.gpu.application_clocks().value_or(Gpu::ApplicationClocks{});
    *clocks = {mhz(core.min),   mhz(core.max),           mhz(memory.min),
               mhz(memory.max), mhz(application.memory), mhz(application.core)};
    return Return::success;
  });
}
