#include "fleet/synthetic/fleet_writer.h"

#include <utility>

#include "fleet/synthetic/identity.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr std::string_view kCheckpointsHeader =
    "\"timestamp\",\"hostname\",\"eventName\",\"eventType\",\"jobId\",\"taskId\",\"simulated\"\n";
constexpr std::string_view kSamplesHeader =
    "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc,simulated\n";
constexpr std::string_view kTilesHeader = "taskId,jobId,x,y,level,simulated\n";
// Ends every row: a mark in a column survives copying, sorting and splitting of the files.
constexpr std::string_view kSimulatedMark = ",true";

constexpr std::uint64_t kRowsBetweenStopChecks = 4096;

}  // namespace

Error stopped() { return fail(Errc::cancelled, "interrupted; no file was written"); }

Result<FleetWriter> FleetWriter::begin(const FleetPlan& plan, const std::filesystem::path& folder) {
  auto checkpoints = RowFile::create(folder / kCheckpointsFile, kCheckpointsHeader);
  if (!checkpoints) return checkpoints.error();
  auto samples = RowFile::create(folder / kSamplesFile, kSamplesHeader);
  if (!samples) return samples.error();
  auto tiles = RowFile::create(folder / kTilesFile, kTilesHeader);
  if (!tiles) return tiles.error();
  return FleetWriter(plan, std::move(*checkpoints), std::move(*samples), std::move(*tiles));
}

FleetWriter::FleetWriter(const FleetPlan& plan, RowFile checkpoints, RowFile samples, RowFile tiles)
    : plan_(plan),
      checkpoints_(std::move(checkpoints)),
      samples_(std::move(samples)),
      tiles_(std::move(tiles)),
      event_time_(plan.start),
      sample_time_(plan.start),
      jobs_{job_id(plan.seed, 4), job_id(plan.seed, 8), job_id(plan.seed, 12)} {}

const std::string& FleetWriter::job_of(const Tile& tile) const {
  return jobs_[static_cast<std::size_t>(tile.level / 4 - 1)];
}

Result<> FleetWriter::write_checkpoint(EventStream& host) {
  if (host.loses_row(plan_.loss)) return ++lost_checkpoints_, Result<>();
  std::string& text = checkpoints_.text();
  event_time_.append(host.event().at, text);
  text.append(",\"").append(host.host_name()).append("\",\"").append(name_of(host.event().name));
  text.append(host.event().start ? "\",\"START\",\"" : "\",\"STOP\",\"");
  text.append(job_of(host.task().tile)).append("\",\"").append(host.task_id()).append("\"");
  text += kSimulatedMark;
  return checkpoints_.end_row();
}

Result<> FleetWriter::write_tile(const EventStream& host) {
  const Tile& tile = host.task().tile;
  std::string& text = tiles_.text();
  text.append("\"").append(host.task_id()).append("\",\"").append(job_of(tile)).append("\"");
  for (const std::int64_t number : {tile.x, tile.y, std::int64_t{tile.level}}) {
    text += ',';
    append_number(number, text);
  }
  text += kSimulatedMark;
  return tiles_.end_row();
}

Result<> FleetWriter::write_sample(SampleStream& logger) {
  const SampleRow sample = logger.take();
  if (logger.loses_row(plan_.loss)) return ++lost_samples_, Result<>();
  std::string& text = samples_.text();
  sample_time_.append(sample.at, text);
  text.append(logger.names());
  append_hundredths(sample.power_hundredths, text);
  for (const int number : {sample.temperature_celsius, sample.busy_percent, sample.memory_percent}) {
    text += ',';
    append_number(number, text);
  }
  text += kSimulatedMark;
  return samples_.end_row();
}

Result<> FleetWriter::checkpoints(StreamMerge<EventStream>& events, Instant until,
                                  const std::stop_token& stop) {
  for (std::uint64_t written_rows = 0; !events.empty(); ++written_rows) {
    EventStream& host = events.first();
    if (host.event().at >= until) break;
    if (written_rows % kRowsBetweenStopChecks == 0 && stop.stop_requested()) return stopped();
    if (host.opens_task()) {
      if (auto written = write_tile(host); !written) return written;
    }
    for (int copy = 0; copy < (host.traits().doubled ? 2 : 1); ++copy) {
      if (auto written = write_checkpoint(host); !written) return written;
    }
    host.advance();
    events.update_first();
  }
  return {};
}

Result<> FleetWriter::samples(StreamMerge<SampleStream>& samples, Instant until,
                              const std::stop_token& stop) {
  for (std::uint64_t written_rows = 0; !samples.empty() && samples.key() < until.ns; ++written_rows) {
    if (written_rows % kRowsBetweenStopChecks == 0 && stop.stop_requested()) return stopped();
    if (auto written = write_sample(samples.first()); !written) return written;
    samples.update_first();
  }
  return {};
}

Result<GeneratedFleet> FleetWriter::commit(GeneratedFleet facts) {
  facts.tasks = tiles_.rows();
  facts.lost_checkpoints = lost_checkpoints_;
  facts.lost_samples = lost_samples_;
  // The file of tiles marks the folder as simulated, so it is written first: if a later write fails, another
  // run may replace the files.
  for (const auto& [name, file] : {std::pair{kTilesFile, &tiles_}, std::pair{kCheckpointsFile, &checkpoints_},
                                   std::pair{kSamplesFile, &samples_}}) {
    facts.files.push_back({name, file->rows(), file->bytes()});
    if (auto written = file->commit(); !written) return written.error();
  }
  return facts;
}

}  // namespace ergon::fleet::synthetic
