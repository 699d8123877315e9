#pragma once

// Reads the schedules that `ergon allocate --out` writes. This header needs nothing but a C++17 compiler and
// its standard library, so that a run-time system can take it along by itself.
//
// The file is text, fields separated by tabs. Six lines that begin with their name come first, then a
// heading, then a row for every layer and share of the bandwidth:
//
//   ergon-schedule                  1
//   network                         scalesim/MobileNet
//   frequency_max_hz                500000000
//   bandwidth_max_bytes_per_second  8000000000
//   switch_seconds                  1e-05
//   shares                          1  0.75  0.5  0.25
//   layer  share  frequency_hz  tail_frequency_hz  tail_after_line  voltage_ratio
//          bandwidth_bytes_per_second  energy_ratio  stall_seconds  time_seconds (one for each share)  name
//
// A share is what is left of the memory's bandwidth when others use it, too; the first is 1. Where the clock
// is to change once within a layer, tail_after_line is the last line of the array (from 0) at the first
// frequency; it is -1 elsewhere, and the tail's frequency equals the frequency. Times are those of the row's
// frequencies at each share.

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <istream>
#include <string>
#include <vector>

namespace ergon::schedule {

struct Row {
  double share = 1;
  double frequency_hz = 0, tail_frequency_hz = 0;
  double tail_after_line = -1;
  double voltage_ratio = 1;
  double bandwidth_bytes_per_second = 0;  // to ask for; a neighbour may leave less
  double energy_ratio = 1;
  double stall_seconds = 0;          // expected, at the row's own share
  std::vector<double> time_seconds;  // expected, at each of the file's shares
};

struct Layer {
  std::string name;
  std::vector<Row> rows;  // one for each share
};

struct File {
  std::string network;
  double frequency_max_hz = 0, bandwidth_max_bytes_per_second = 0, switch_seconds = 0;
  std::vector<double> shares;  // falling, the first is 1
  std::vector<Layer> layers;
};

namespace detail {

constexpr std::size_t kMostShares = 64, kMostLayers = 1'000'000;
constexpr double kMostLines = 9e15;  // whole numbers are exact below

inline std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> found(1);
  for (const char c : line) {
    if (c == '\t') {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

inline bool number(const std::string& text, double least, double& target) {
  if (text.empty() || text[0] == ' ') return false;
  char* end = nullptr;
  target = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(target) && target >= least;
}

class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  bool read(File& file) {
    double version = 0;
    if (!named("ergon-schedule", version) || version != 1) return wrong("not a schedule of version 1");
    if (!next() || fields_.size() != 2 || fields_[0] != "network") return wrong("\"network\" is missing");
    file.network = fields_[1];
    if (!named("frequency_max_hz", file.frequency_max_hz) || !(file.frequency_max_hz > 0) ||
        !named("bandwidth_max_bytes_per_second", file.bandwidth_max_bytes_per_second) ||
        !named("switch_seconds", file.switch_seconds)) {
      return wrong("a number is missing in the heading");
    }
    return shares(file) && next() && rows(file);
  }

  std::string error() const { return "line " + std::to_string(line_) + ": " + error_; }

 private:
  bool wrong(const std::string& what) {
    if (error_.empty()) error_ = what;
    return false;
  }

  bool next() {
    std::string text;
    ++line_;
    if (!std::getline(in_, text)) return wrong("the file ends too early");
    fields_ = fields(text);
    return true;
  }

  bool named(const char* name, double& target) {
    return next() && fields_.size() == 2 && fields_[0] == name && number(fields_[1], 0, target);
  }

  bool shares(File& file) {
    if (!next() || fields_[0] != "shares" || fields_.size() < 2 || fields_.size() > kMostShares) {
      return wrong("\"shares\" are missing");
    }
    for (std::size_t i = 1; i < fields_.size(); ++i) {
      double share = 0;
      const bool fine = number(fields_[i], 0, share) && share > 0 &&
                        (file.shares.empty() ? share == 1 : share < file.shares.back());
      if (!fine) return wrong("shares begin with 1 and fall");
      file.shares.push_back(share);
    }
    return true;
  }

  bool rows(File& file) {
    std::string text;
    while (std::getline(in_, text)) {
      ++line_;
      fields_ = fields(text);
      if (!row(file)) return false;
    }
    if (file.layers.empty()) return wrong("no layers");
    if (file.layers.back().rows.size() != file.shares.size()) return wrong("the last layer lacks a share");
    return true;
  }

  bool row(File& file) {
    const std::size_t times = file.shares.size();
    if (fields_.size() != 10 + times) return wrong("a row of a layer has other fields");
    const bool begins = file.layers.empty() || file.layers.back().rows.size() == times;
    if (begins && file.layers.size() >= kMostLayers) return wrong("too many layers");
    if (begins) file.layers.push_back({fields_.back(), {}});
    Layer& layer = file.layers.back();
    double place = 0;
    Row row;
    row.time_seconds.resize(times);
    bool fine = number(fields_[0], 0, place) && place == static_cast<double>(file.layers.size() - 1) &&
                fields_.back() == layer.name && number(fields_[1], 0, row.share) &&
                row.share == file.shares[layer.rows.size()] && number(fields_[2], 0, row.frequency_hz) &&
                number(fields_[3], 0, row.tail_frequency_hz) && number(fields_[4], -1, row.tail_after_line) &&
                number(fields_[5], 0, row.voltage_ratio) &&
                number(fields_[6], 0, row.bandwidth_bytes_per_second) &&
                number(fields_[7], 0, row.energy_ratio) && number(fields_[8], 0, row.stall_seconds) &&
                row.frequency_hz > 0 && row.tail_frequency_hz > 0 && row.tail_after_line < kMostLines &&
                row.tail_after_line == std::floor(row.tail_after_line);
    for (std::size_t i = 0; i < times; ++i) fine = fine && number(fields_[9 + i], 0, row.time_seconds[i]);
    if (!fine) return wrong("a row of a layer is out of order or not made of numbers");
    layer.rows.push_back(row);
    return true;
  }

  std::istream& in_;
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
  std::string error_;
};

}  // namespace detail

// Whether `in` holds a schedule; if not, `error` says where and why, and `file` is not to be used.
inline bool read(std::istream& in, File& file, std::string& error) {
  file = {};
  detail::Reader reader(in);
  if (reader.read(file)) return true;
  error = reader.error();
  return false;
}

}  // namespace ergon::schedule
