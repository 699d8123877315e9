#include "fleet/task_file.h"

#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kFlushed = std::size_t{1} << 20;

std::string quoted_field(std::string_view text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

std::string known_number(double number) { return std::isnan(number) ? std::string{} : shortest_text(number); }

}  // namespace

Result<TaskFile> TaskFile::create(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return errno_error(failed.value()).in(folder.string());
  TaskFile made(folder / "tasks.csv");
  if (auto begun = made.restart(); !begun) return begun.error();
  return made;
}

Result<> TaskFile::restart() {
  file_.reset();
  auto file = AtomicFile::create(path_);
  if (!file) return file.error();
  file_.emplace(std::move(*file));
  text_ =
      "task,host,event,level,start,duration_ms,energy_joules,power_watts,temperature_celsius,utilization,"
      "memory,covered,simulated\n";
  return {};
}

Result<> TaskFile::add(const TaskRun& run) {
  const std::optional<Joules> energy = run.telemetry.own_energy();
  text_ += fmt::format("{},{},{},{},{},{},{}", quoted_field(run.task), quoted_field(run.host),
                       quoted_field(run.event), quoted_field(run.level), to_text(run.when.start),
                       shortest_text(static_cast<double>(run.when.stop.ns - run.when.start.ns) / 1e6),
                       energy ? shortest_text(energy->si()) : "");
  for (const double mean : run.telemetry.mean) text_ += "," + known_number(mean);
  text_ += fmt::format(",{},{}\n", shortest_text(run.telemetry.coverage), run.simulated);
  return text_.size() < kFlushed ? Result<>{} : flush();
}

Result<> TaskFile::flush() {
  auto written = file_->write(text_);
  text_.clear();
  return written;
}

Result<> TaskFile::commit() {
  if (auto flushed = flush(); !flushed) return flushed;
  return file_->commit();
}

}  // namespace ergon::fleet
