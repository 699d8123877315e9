// Lease journals. For any text, parsing its valid prefix gives the same content, and the changes to restore
// survive a round trip. Mutated texts rarely have valid checksums, so each is parsed a second time with
// signed lines, and a third time as it is after a power loss: cut anywhere.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "device/lease/journal_content.h"
#include "fuzz/lines_mutator.h"

namespace {

using namespace ergon;
using namespace ergon::device;

bool same(const JournalContent& a, const JournalContent& b) {
  return a.opening == b.opening && a.changes == b.changes;
}

void check(std::string_view text) {
  const JournalContent content = parse_journal(text);
  if (content.end.size > text.size() || content.settled.size > content.end.size) std::abort();
  if (!content.opening && !content.changes.empty()) std::abort();
  if (content.damage && content.damage->message.empty()) std::abort();
  const JournalContent whole = parse_journal(text.substr(0, content.end.size));
  if (whole.damage || !same(whole, content)) std::abort();

  if (!content.opening) return;
  JournalChain chain;
  std::string again = chain.sign(record_text(*content.opening));
  for (const ControlChange& change : content.changes) {
    if (!check_value(change.control, change.original())) std::abort();
    again += chain.sign(record_text(change));
  }
  const JournalContent second = parse_journal(again);
  if (second.damage || !same(second, content)) std::abort();
}

}  // namespace

namespace {

constexpr std::string_view kWords[] = {"lease",
                                       "change",
                                       "set",
                                       "restored",
                                       "1",
                                       "2",
                                       "power_limit",
                                       "core_clock",
                                       "memory_clock",
                                       "application_clocks",
                                       "persistence",
                                       "700W",
                                       "450W",
                                       "0W",
                                       "-1W",
                                       "1e300W",
                                       "nanW",
                                       "unlocked",
                                       "unread",
                                       "900MHz",
                                       "900MHz..1.2GHz",
                                       "1.2GHz..900MHz",
                                       "900MHz..",
                                       "%20",
                                       "%00",
                                       "%",
                                       "GPU-5fb1",
                                       "2026-05-04T10:00:00Z",
                                       "4294967296",
                                       "-1",
                                       "6324e469",
                                       "00000000"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ' ', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  JournalChain chain;
  std::string lines;
  for (const std::string_view line : split(text, '\n')) lines += chain.sign(line);
  check(lines);
  // A cut journal has the records before the cut, and is not damaged there.
  const JournalContent content = parse_journal(lines);
  const std::size_t cut = std::hash<std::string_view>()(text) % (content.end.size + 1);
  const JournalContent begin = parse_journal(std::string_view(lines).substr(0, cut));
  if (begin.end.size > cut || (begin.damage && cut - begin.end.size <= 4096)) std::abort();
  check(lines.substr(0, cut) + std::string(7, '\0'));
  return 0;
}
