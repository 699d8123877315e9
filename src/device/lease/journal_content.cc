#include "device/lease/journal_content.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::device {
namespace {

auto find_change(auto& changes, Control control) {
  return std::find_if(changes.begin(), changes.end(),
                      [&](const ControlChange& change) { return change.control == control; });
}

Error invalid_record(std::string_view what) { return {Errc::invalid_input, std::string(what)}; }

// Visitor that applies a record to the content.
struct RecordApplier {
  JournalContent& content;

  Result<> operator()(const JournalOpening& opening) const {
    if (content.opening) return invalid_record("second lease record");
    content.opening = opening;
    return {};
  }
  Result<> operator()(const ControlChange& change) const {
    if (content.change_of(change.control) != nullptr)
      return invalid_record("second change record of a control");
    content.changes.push_back(change);
    return {};
  }
  Result<> operator()(const JournalSetting& setting) const {
    const auto change = find_change(content.changes, setting.control);
    if (change == content.changes.end()) return invalid_record("set record without a change record");
    change->requested = setting.requested;
    return {};
  }
  Result<> operator()(const JournalRestored& restored) const {
    const auto change = find_change(content.changes, restored.control);
    if (change == content.changes.end()) return invalid_record("restored record without a change record");
    content.changes.erase(change);
    return {};
  }
};

// An incomplete record, or zeros, which a file system can leave at the end of a file after a power loss.
bool is_incomplete(std::string_view tail) {
  constexpr std::size_t kMaxRecordBytes = 4096;
  constexpr std::array<std::string_view, 4> kKinds{"lease ", "change ", "set ", "restored "};
  if (tail.size() > kMaxRecordBytes) return false;
  if (tail.find_first_not_of('\0') == std::string_view::npos) return true;
  return std::any_of(kKinds.begin(), kKinds.end(), [&](std::string_view kind) {
    return tail.substr(0, kind.size()) == kind.substr(0, tail.size());
  });
}

}  // namespace

const ControlChange* JournalContent::change_of(Control control) const {
  const auto change = find_change(changes, control);
  return change == changes.end() ? nullptr : &*change;
}

Result<> JournalContent::apply(const JournalRecord& record) {
  if (!opening && !std::holds_alternative<JournalOpening>(record))
    return invalid_record("no lease record at the start");
  return std::visit(RecordApplier{*this}, record);
}

JournalContent parse_journal(std::string_view text) {
  JournalContent content;
  for (std::size_t number = 1; content.end.size < text.size(); ++number) {
    const std::string_view rest = text.substr(content.end.size);
    const auto end = rest.find('\n');
    if (end == std::string_view::npos && is_incomplete(rest)) return content;
    const auto damaged = [&](const Error& error) { return error.in(fmt::format("line {}", number)); };
    const auto words = content.end.chain.verify(rest.substr(0, end));
    if (end == std::string_view::npos || !words) {
      content.damage = damaged(fail(Errc::invalid_input, "wrong checksum"));
      return content;
    }
    const auto record = parse_record(*words);
    if (const auto applied = record ? content.apply(*record) : record.error(); !applied) {
      content.damage = damaged(applied.error());
      return content;
    }
    content.end.size += end + 1;
    if (!std::holds_alternative<JournalSetting>(*record)) content.settled = content.end;
  }
  return content;
}

}  // namespace ergon::device
