#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allocate/gpu/gpu_work.h"
#include "networks/network_source.h"
#include "options.h"

namespace ergon::app {

// A GPU and how a network is to run on it, as the command line describes both.
struct GpuSource {
  std::optional<std::string> device;
  CostSettings costs;
  std::string precision = "tf32";
  std::optional<Watts> limit;
  std::optional<Seconds> switch_time;

  void declare(Options& options);

  // `step`: between clocks. Errors: a network that does not fit the GPU, and whatever loading can do.
  Result<allocate::GpuWork> load(const NetworkSource& source, std::optional<Hertz> step) const;
  // The GPU's file, where it is one.
  std::vector<std::string> files() const;
};

// Options that speak of one kind of hardware only, to be refused with the other.
class OptionsOfOneKind {
 public:
  // Contract: all are declared.
  OptionsOfOneKind(const Options& options, const std::vector<std::string>& names);

  // Fails with the first that stands on the line: "--memory is for systolic arrays, ...".
  Result<> refuse(std::string_view why) const;

 private:
  std::vector<std::pair<std::string, std::function<bool()>>> given_;
};

}  // namespace ergon::app
