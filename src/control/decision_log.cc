#include "control/decision_log.h"

#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file.h"

namespace ergon::control {
namespace {

constexpr std::string_view kHeader =
    "time_seconds,batch,clock_hertz,power_watts,mean_power_watts,cap_watts,throughput_samples_per_second,"
    "latency_seconds,temperature_celsius,next_batch,next_clock_hertz,reason\n";

// Empty if it is not a number.
std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

template <typename Q>
std::string cell(const std::optional<Q>& quantity) {
  return quantity ? cell(quantity->si()) : "";
}

std::string text_cell(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

std::string row_of(const Decision& decision) {
  const Feedback& feedback = decision.feedback;
  const auto& temperature = feedback.temperature;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(feedback.at.si()), feedback.point.batch,
                     cell(feedback.point.clock), cell(feedback.power), cell(feedback.mean_power),
                     cell(feedback.cap.si()), cell(feedback.throughput()), cell(feedback.latency),
                     temperature ? cell(temperature->degrees()) : "", decision.next.point.batch,
                     cell(decision.next.point.clock), text_cell(decision.next.reason));
}

Error failure(const std::string& path) {
  if (errno == ENOENT) return fail(Errc::not_found, "{}: no such directory", path);
  return errno_error(errno).in(path);
}

}  // namespace

Result<DecisionLog> DecisionLog::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return failure(path);
  DecisionLog log(path, file);
  if (auto written = log.write(kHeader); !written) return written.error();
  return log;
}

DecisionLog::DecisionLog(DecisionLog&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

DecisionLog::~DecisionLog() {
  if (file_ >= 0) ::close(file_);
}

Result<> DecisionLog::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(path_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<> DecisionLog::add(const Decision& decision) { return write(row_of(decision)); }

}  // namespace ergon::control
