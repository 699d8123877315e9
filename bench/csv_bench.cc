// Reads and joins telemetry, one job per process so that its peak memory can be measured:
//
//   bench_csv generate FILE MEGABYTES     writes telemetry
//   bench_csv events TELEMETRY FILE       writes one event per tenth row of it, for the join
//   bench_csv read FILE [THREADS]         reads it five times
//   bench_csv join EVENTS TELEMETRY       as-of join by host, five times
//
// Each job prints one JSON line; bench/run formats them as a table.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/file.h"
#include "table/asof_join.h"
#include "table/csv/read.h"
#include "table/csv/write.h"
#include "telemetry.h"

namespace {

using namespace ergon;

constexpr int kRepetitions = 5;

// Peak memory of this process in bytes.
double peak_memory() {
  const auto status = read_file("/proc/self/status");
  const auto at = status ? status->find("VmHWM:") : std::string::npos;
  return at == std::string::npos ? 0 : std::atof(status->c_str() + at + 6) * 1024;
}

template <typename Work>
std::vector<double> seconds_of(const Work& work) {
  SystemClock clock;
  std::vector<double> seconds;
  for (int i = 0; i < kRepetitions; ++i) {
    const Instant start = clock.now();
    work();
    seconds.push_back((clock.now() - start).si());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

table::CsvTable must_read(const std::string& file, const table::CsvOptions& options = {}) {
  auto read = table::read_csv(file, options);
  if (!read) {
    fmt::print(stderr, "{}\n", read.error().message);
    std::exit(1);
  }
  return std::move(*read);
}

int read_job(const std::string& file, std::size_t threads) {
  double table_bytes = 0;
  std::size_t rows = 0;
  const auto seconds = seconds_of([&] {
    const auto read = must_read(file, {.threads = threads});
    table_bytes = read.table.memory().si();
    rows = read.table.rows();
  });
  fmt::print("{{\"seconds\": {}, \"bytes\": {}, \"rows\": {}, \"table_bytes\": {}, \"peak_bytes\": {}}}\n",
             seconds[kRepetitions / 2], std::filesystem::file_size(file), rows, table_bytes, peak_memory());
  return 0;
}

int join_job(const std::string& events_file, const std::string& telemetry_file) {
  const auto events = must_read(events_file);
  const auto telemetry = must_read(telemetry_file);
  std::size_t unmatched = 0;
  // Like the peer: a table with the time of each event and the power.
  const auto seconds = seconds_of([&] {
    const auto match =
        table::asof_match(events.table, telemetry.table,
                          {.left_on = "time", .right_on = "timestamp", .by = {{"host", "hostname"}}});
    if (!match) return;
    table::Table joined;
    joined.add("time", *events.table.column("time").value());
    joined.add("power", telemetry.table.column("powerDrawWatt").value()->gather(match->right_row));
    unmatched = match->unmatched;
  });
  fmt::print("{{\"seconds\": {}, \"rows\": {}, \"right_rows\": {}, \"unmatched\": {}}}\n",
             seconds[kRepetitions / 2], events.table.rows(), telemetry.table.rows(), unmatched);
  return 0;
}

// An event half a second after every tenth sample.
int events_job(const std::string& telemetry_file, const std::string& file) {
  const auto telemetry = must_read(telemetry_file, {.columns = {"timestamp", "hostname"}});
  const auto& times = telemetry.table.columns()[0].timestamps();
  table::Values<Timestamp> later;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < times.size(); row += 10) {
    rows.push_back(row);
    later.push_back({times[row].ns + 500'000'000});
  }
  table::Table events;
  events.add("time", table::Column(std::move(later)));
  events.add("host", telemetry.table.columns()[1].gather(rows));
  return table::write_csv(events, std::filesystem::path(file)) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "generate") {
    return bench::write_telemetry(words[1], static_cast<std::size_t>(std::atol(words[2].c_str())) * 1'000'000)
               ? 0
               : 1;
  }
  if (words.size() == 3 && words[0] == "events") return events_job(words[1], words[2]);
  if (words.size() >= 2 && words[0] == "read") {
    return read_job(words[1], words.size() > 2 ? static_cast<std::size_t>(std::atoi(words[2].c_str())) : 0);
  }
  if (words.size() == 3 && words[0] == "join") return join_job(words[1], words[2]);
  return 2;
}
