#include "service/metrics/resident_memory.h"

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::service {

Result<Bytes> resident_memory(const std::filesystem::path& statm) {
  const auto text = read_file(statm);
  if (!text) return text.error();
  // "size resident shared ...", in pages: proc(5).
  const auto fields = split(trim(*text), ' ');
  const auto pages = fields.size() < 2 ? std::nullopt : parse_int64(fields[1]);
  if (!pages || *pages < 0) {
    return fail(Errc::invalid_input, "{}: expected sizes in pages, got \"{}\"", statm.string(),
                printable(*text));
  }
  return Bytes{static_cast<double>(*pages) * static_cast<double>(::sysconf(_SC_PAGESIZE))};
}

}  // namespace ergon::service
