#pragma once

// Reads the schedules that `ergon allocate --out` writes. This header needs only a C++17 compiler and its
// standard library, so that a runtime system can copy it.
//
// The file is text with tab-separated fields: six named lines, a heading, then one row per layer and
// bandwidth share:
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
// A share is the part of the memory bandwidth that other programs leave; the first is 1. If the clock
// switches within a layer, tail_after_line is the last line of the array (from 0) at the first frequency;
// otherwise it is -1 and tail_frequency_hz equals frequency_hz. Times are those of the row's frequencies at
// each share.

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
  double bandwidth_bytes_per_second = 0;  // requested; other programs may leave less
  double energy_ratio = 1;
  double stall_seconds = 0;          // expected, at the row's share
  std::vector<double> time_seconds;  // expected, at each of the file's shares
};

struct Layer {
  std::string name;
  std::vector<Row> rows;  // one per share
};

struct File {
  std::string network;
  double frequency_max_hz = 0, bandwidth_max_bytes_per_second = 0, switch_seconds = 0;
  std::vector<double> shares;  // descending from 1
  std::vector<Layer> layers;
};

namespace detail {

constexpr std::size_t kMaxShares = 64, kMaxLayers = 1'000'000;
constexpr double kMaxLine = 9e15;  // integers are exact in a double below this

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

inline bool number(const std::string& text, double min, double& target) {
  if (text.empty() || text[0] == ' ') return false;
  char* end = nullptr;
  target = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(target) && target >= min;
}

class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  bool read(File& file) {
    double version = 0;
    if (!named("ergon-schedule", version) || version != 1)
      return wrong("not an ergon-schedule file of version 1");
    if (!next() || fields_.size() != 2 || fields_[0] != "network") return wrong("missing \"network\"");
    file.network = fields_[1];
    if (!named("frequency_max_hz", file.frequency_max_hz) || !(file.frequency_max_hz > 0) ||
        !named("bandwidth_max_bytes_per_second", file.bandwidth_max_bytes_per_second) ||
        !named("switch_seconds", file.switch_seconds)) {
      return wrong("missing or invalid number in the header");
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
    if (!std::getline(in_, text)) return wrong("unexpected end of file");
    fields_ = fields(text);
    return true;
  }

  bool named(const char* name, double& target) {
    return next() && fields_.size() == 2 && fields_[0] == name && number(fields_[1], 0, target);
  }

  bool shares(File& file) {
    if (!next() || fields_[0] != "shares" || fields_.size() < 2 || fields_.size() > kMaxShares) {
      return wrong("missing \"shares\"");
    }
    for (std::size_t i = 1; i < fields_.size(); ++i) {
      double share = 0;
      const bool fine = number(fields_[i], 0, share) && share > 0 &&
                        (file.shares.empty() ? share == 1 : share < file.shares.back());
      if (!fine) return wrong("shares must descend from 1");
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
    if (file.layers.back().rows.size() != file.shares.size()) return wrong("the last layer has too few rows");
    return true;
  }

  bool row(File& file) {
    const std::size_t times = file.shares.size();
    if (fields_.size() != 10 + times) return wrong("wrong number of fields in a layer row");
    const bool begins = file.layers.empty() || file.layers.back().rows.size() == times;
    if (begins && file.layers.size() >= kMaxLayers) return wrong("too many layers");
    if (begins) file.layers.push_back({fields_.back(), {}});
    Layer& layer = file.layers.back();
    double index = 0;
    Row row;
    row.time_seconds.resize(times);
    bool fine = number(fields_[0], 0, index) && index == static_cast<double>(file.layers.size() - 1) &&
                fields_.back() == layer.name && number(fields_[1], 0, row.share) &&
                row.share == file.shares[layer.rows.size()] && number(fields_[2], 0, row.frequency_hz) &&
                number(fields_[3], 0, row.tail_frequency_hz) && number(fields_[4], -1, row.tail_after_line) &&
                number(fields_[5], 0, row.voltage_ratio) &&
                number(fields_[6], 0, row.bandwidth_bytes_per_second) &&
                number(fields_[7], 0, row.energy_ratio) && number(fields_[8], 0, row.stall_seconds) &&
                row.frequency_hz > 0 && row.tail_frequency_hz > 0 && row.tail_after_line < kMaxLine &&
                row.tail_after_line == std::floor(row.tail_after_line);
    for (std::size_t i = 0; i < times; ++i) fine = fine && number(fields_[9 + i], 0, row.time_seconds[i]);
    if (!fine) return wrong("layer row out of order or not numeric");
    layer.rows.push_back(row);
    return true;
  }

  std::istream& in_;
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
  std::string error_;
};

}  // namespace detail

// Returns whether `in` holds a valid schedule. Otherwise `error` names line and reason, and `file` is
// unspecified.
inline bool read(std::istream& in, File& file, std::string& error) {
  file = {};
  detail::Reader reader(in);
  if (reader.read(file)) return true;
  error = reader.error();
  return false;
}

}  // namespace ergon::schedule
