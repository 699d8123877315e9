#include "device/lease/lease_abandoned.h"

#include <algorithm>
#include <filesystem>
#include <sys/file.h>
#include <system_error>

#include "base/file.h"
#include "device/lease/journal_folder.h"

namespace ergon::device {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".journal";

Result<std::vector<std::string>> journal_names(const fs::path& folder) {
  std::error_code failed;
  fs::directory_iterator entries(folder, failed);
  std::vector<std::string> names;
  while (!failed && entries != fs::directory_iterator()) {
    std::string name = entries->path().filename().string();
    if (name.ends_with(kSuffix)) names.push_back(std::move(name));
    entries.increment(failed);
  }
  if (failed) return errno_error(failed.value()).in(folder.string());
  std::sort(names.begin(), names.end());
  return names;
}

// Content of a journal, or absent if it is locked. Uses a shared lock, so that concurrent readers do not
// exclude each other, and releases it immediately.
Result<std::optional<std::string>> unlocked_text(const JournalFolder& folder, const std::string& name) {
  using Outcome = std::optional<std::string>;
  const auto file = folder.open_file(name, IfAbsent::fail);
  if (!file) return file.error();
  if (::flock(file->fd(), LOCK_SH | LOCK_NB) != 0) return Outcome();
  auto text = read_journal(file->fd());
  if (!text) return text.error().in((folder.path() / name).string());
  return Outcome(std::move(*text));
}

AbandonedLease lease_of(const std::string& name, const Result<std::optional<std::string>>& text,
                        const LeaseStore& store) {
  const std::string stem = name.substr(0, name.size() - kSuffix.size());
  AbandonedLease lease{.uuid = text_of_journal_word(stem).value_or(stem)};
  if (!text) {
    lease.damage = text.error();
    return lease;
  }
  JournalContent content = parse_journal(text->value_or(""));
  lease.changes = std::move(content.changes);
  lease.damage = std::move(content.damage);
  if (!content.opening) return lease;
  lease.uuid = content.opening->uuid;
  lease.holder = content.opening->holder;
  lease.another_boot = content.opening->boot != store.boot;
  return lease;
}

}  // namespace

Result<std::vector<AbandonedLease>> abandoned_leases(const LeaseStore& store) {
  std::vector<AbandonedLease> leases;
  const auto folder = JournalFolder::open(store.folder, IfAbsent::fail);
  if (!folder && folder.error().kind == Errc::not_found) return leases;
  if (!folder) return folder.error();
  const auto names = journal_names(store.folder);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    AbandonedLease lease = lease_of(name, unlocked_text(*folder, name), store);
    if (!lease.changes.empty() || lease.damage) leases.push_back(std::move(lease));
  }
  return leases;
}

}  // namespace ergon::device
