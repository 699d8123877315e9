#pragma once

#include <functional>
#include <map>
#include <string>

namespace ergon::fleet {

// Labels of a series, including its name as "__name__".
using Labels = std::map<std::string, std::string, std::less<>>;

// The GPU of a series, from its labels.
struct LabeledGpu {
  std::string host;  // empty if unknown
  std::string key;   // the UUID, serial number, index on its host, or host, whichever is known first
  std::string uuid, serial;

  friend auto operator<=>(const LabeledGpu&, const LabeledGpu&) = default;
};

// Exporters and relabeling rules use different label names; the first known one that is present counts.
// Without a host label, the host is that of the scraped address (`instance`).
LabeledGpu gpu_of(const Labels& labels);

}  // namespace ergon::fleet
