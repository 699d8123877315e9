// Schedules for run-times. Whatever the text is, the reader says what is wrong with it or reads a plan that
// the governor can follow: a row for every layer and share, and finite numbers.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "allocate/runtime/governor.h"
#include "allocate/runtime/schedule_writer.h"
#include "fuzz/lines_mutator.h"

namespace {

constexpr std::string_view kWords[] = {"ergon-schedule",
                                       "1",
                                       "2",
                                       "network",
                                       "frequency_max_hz",
                                       "bandwidth_max_bytes_per_second",
                                       "switch_seconds",
                                       "shares",
                                       "layer",
                                       "5e8",
                                       "1e9",
                                       "1e-3",
                                       "0",
                                       "-1"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = '	', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  schedule::File file;
  std::string error;
  if (!schedule::read(in, file, error)) {
    if (error.empty()) std::abort();
    return 0;
  }
  allocate::GovernorState state;
  for (std::size_t layer = 0; layer < file.layers.size(); ++layer) {
    if (file.layers[layer].rows.size() != file.shares.size()) std::abort();
    const std::size_t row = allocate::choose_row(file, state, layer);
    if (row >= file.shares.size()) std::abort();
    allocate::observe(file, state, layer, row, Seconds{file.layers[layer].rows[row].time_seconds.back()});
    if (!(state.share > 0 && state.share <= 1) || std::isnan(state.delay.si())) std::abort();
  }
  // Round trip.
  std::istringstream again(allocate::to_text(file));
  schedule::File second;
  if (!schedule::read(again, second, error) || second.layers.size() != file.layers.size()) std::abort();
  return 0;
}
