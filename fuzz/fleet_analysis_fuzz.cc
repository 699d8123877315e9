// Whole analyses: checkpoints, samples and tasks, three CSV texts separated by lines of "---". Whatever the
// logs are, the analysis returns an error with a message or a tally whose numbers are possible, which a part
// holds exactly, and which can be summarized.

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "fleet/ingest.h"
#include "fleet/summary/fleet_summary.h"
#include "fleet/tally_range.h"
#include "fuzz/lines_mutator.h"
#include "report/fleet_json.h"
#include "report/fleet_part.h"

namespace {

namespace fs = std::filesystem;
using namespace ergon;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSeparator = "\n---\n";
constexpr std::string_view kWords[] = {"---",
                                       "START",
                                       "STOP",
                                       "2018-11-08T07:41:30.957Z",
                                       "2018-11-08T07:41:31Z",
                                       "2018-11-08T07:41:40Z",
                                       "2018-11-09T07:41:31Z",
                                       "1970-01-01T00:00:00Z",
                                       "9999-12-31T23:59:59Z",
                                       "1541662891.055",
                                       "Render",
                                       "h",
                                       "h2",
                                       "GPU-a",
                                       "GPU-b",
                                       "t",
                                       "t2",
                                       "simulated-j",
                                       "0",
                                       "100",
                                       "250.5",
                                       "2000",
                                       "2001",
                                       "[N/A]",
                                       "12"};

// The folder of the three logs.
class Logs {
 public:
  Logs() { fs::create_directories(folder_); }
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;
  ~Logs() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fleet::FleetInputs write(std::string_view text) const {
    constexpr std::array<const char*, 3> kNames = {"checkpoints.csv", "gpu.csv", "tasks.csv"};
    std::array<fs::path, 3> paths;
    std::array<bool, 3> present{};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const std::size_t end = text.find(kSeparator);
      const std::string_view section = text.substr(0, end);
      paths[i] = folder_ / kNames[i];
      std::ofstream(paths[i], std::ios::binary) << section;
      present[i] = !section.empty();
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + kSeparator.size());
    }
    fleet::FleetInputs inputs;
    inputs.workers = 1;
    if (present[0]) inputs.logs.push_back({paths[0], fleet::LogKind::checkpoints, {}, {}});
    if (present[1]) inputs.logs.push_back({paths[1], fleet::LogKind::samples, {}, {}});
    if (present[2]) inputs.tasks = paths[2];
    return inputs;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("ergon-fleet-fuzz-" + std::to_string(::getpid()));
};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Logs logs;
  const auto read = fleet::read_fleet(logs.write({reinterpret_cast<const char*>(data), size}), {}, {});
  if (!read) {
    ERGON_EXPECTS(!read.error().message.empty());
    return 0;
  }
  const fleet::Tally& tally = read->tally;
  ERGON_EXPECTS(static_cast<bool>(fleet::check_range(tally)));
  report::fleet_json(fleet::summarize(tally), {}, {true, true});
  Json part = report::fleet_part_json(tally);
  part["schema"] = report::kFleetPartSchema;
  const auto again = report::read_fleet_part(part.dump(-1, ' ', false, Json::error_handler_t::replace));
  ERGON_EXPECTS(static_cast<bool>(again));
  // Names that are not UTF-8 are replaced in a part.
  if (part.dump(-1, ' ', false, Json::error_handler_t::replace) ==
      part.dump(-1, ' ', false, Json::error_handler_t::ignore))
    ERGON_EXPECTS(*again == tally);
  return 0;
}
