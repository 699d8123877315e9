#pragma once

#include <functional>
#include <map>
#include <string>

namespace ergon::fleet {

// Of a series, its name among them as "__name__".
using Labels = std::map<std::string, std::string, std::less<>>;

// Which GPU a series is about, as far as its labels say.
struct LabelledGpu {
  std::string host;  // empty if nobody says it
  std::string key;   // the UUID, the serial number, the index in its host, or the host itself
  std::string uuid, serial;

  friend auto operator<=>(const LabelledGpu&, const LabelledGpu&) = default;
};

// Exporters and the rules of scraping spell labels differently; the first spelling that is there counts. The
// address that was scraped is the host, without its port, where no other label says it.
LabelledGpu gpu_of(const Labels& labels);

}  // namespace ergon::fleet
