#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/lease/journal_content.h"
#include "device/lease/shared_device.h"

namespace ergon::device {
namespace {

// Arbitrary positive numbers, not only round ones.
double any_positive() {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  const double number = std::abs(std::bit_cast<double>(bits));
  return std::isfinite(number) && number > 0 ? number : 1.0 / 3;
}

ControlValue any_control_value(Control control) {
  if (control == Control::power_limit) return {.power_limit = Watts{any_positive()}};
  if (*rc::gen::inRange(0, 4) == 0) return {};
  const double a = any_positive(), b = any_positive();
  return {.clocks = ClockRange{Hertz{std::min(a, b)}, Hertz{std::max(a, b)}}};
}

JournalOpening any_opening() {
  return {*rc::gen::arbitrary<std::string>(),
          *rc::gen::arbitrary<std::string>(),
          {*rc::gen::arbitrary<std::int64_t>(),
           *rc::gen::arbitrary<std::string>(),
           {*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000'000)}}};
}

// A journal and its content after each line.
struct WrittenJournal {
  std::string text;
  std::vector<std::size_t> ends{0};
  std::vector<JournalContent> contents{1};
};

WrittenJournal any_journal() {
  WrittenJournal journal;
  JournalContent content;
  const auto add = [&](const JournalRecord& record) {
    if (!content.apply(record)) return;
    journal.text += content.end.chain.sign(record_text(record));
    journal.ends.push_back(journal.text.size());
    journal.contents.push_back(content);
  };
  add(any_opening());
  for (int records = *rc::gen::inRange(0, 12); records > 0; --records) {
    const Control control = *rc::gen::elementOf(test::kControls);
    const bool unread = control != Control::power_limit && *rc::gen::arbitrary<bool>();
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        add(ControlChange{control, unread ? std::nullopt : std::optional(any_control_value(control)),
                          any_control_value(control)});
        break;
      case 1:
        add(JournalSetting{control, any_control_value(control)});
        break;
      default:
        add(JournalRestored{control});
    }
  }
  return journal;
}

bool same(const JournalContent& a, const JournalContent& b) {
  return a.opening == b.opening && a.changes == b.changes;
}

RC_GTEST_PROP(JournalProperty, ParsesExactlyWhatWasWritten, ()) {
  const WrittenJournal journal = any_journal();
  const JournalContent read = parse_journal(journal.text);
  RC_ASSERT(!read.damage);
  RC_ASSERT(read.end.size == journal.text.size());
  RC_ASSERT(same(read, journal.contents.back()));
}

RC_GTEST_PROP(JournalProperty, ParsesTheCompleteRecordsAfterTruncation, ()) {
  const WrittenJournal journal = any_journal();
  for (std::size_t size = 0; size <= journal.text.size(); ++size) {
    const JournalContent read = parse_journal(std::string_view(journal.text).substr(0, size));
    std::size_t whole = 0;
    while (whole + 1 < journal.ends.size() && journal.ends[whole + 1] <= size) ++whole;
    RC_ASSERT(!read.damage);
    RC_ASSERT(read.end.size == journal.ends[whole]);
    RC_ASSERT(same(read, journal.contents[whole]));
  }
}

RC_GTEST_PROP(JournalProperty, DetectsEveryChangedByte, ()) {
  WrittenJournal journal = any_journal();
  const auto at = *rc::gen::inRange<std::size_t>(0, journal.text.size());
  const char byte =
      *rc::gen::suchThat(rc::gen::arbitrary<char>(), [&](char c) { return c != journal.text[at]; });
  journal.text[at] = byte;
  const JournalContent read = parse_journal(journal.text);
  std::size_t line = 0;
  while (journal.ends[line + 1] <= at) ++line;
  RC_ASSERT(same(read, journal.contents[line]));
  // Only damage at the very end of the last line looks like an incomplete record.
  RC_ASSERT(read.damage.has_value() == (at + 1 < journal.text.size()));
}

RC_GTEST_PROP(JournalProperty, EncodesAnyTextAsAWord, (const std::string& text)) {
  const std::string word = journal_word(text);
  RC_ASSERT(word.find_first_of("/ \n.") == std::string::npos);
  RC_ASSERT(text_of_journal_word(word) == text);
}

}  // namespace
}  // namespace ergon::device
