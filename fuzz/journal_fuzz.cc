// Lease journals. For any text, parsing its valid prefix gives the same content, and the changes to restore
// survive a round trip. Random texts rarely have valid checksums, so each is parsed a second time with signed
// lines.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text.h"
#include "device/lease/journal_content.h"

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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  JournalChain chain;
  std::string lines;
  for (const std::string_view line : split(text, '\n')) lines += chain.sign(line);
  check(lines);
  return 0;
}
