#include "systolic/trace/miss_list.h"

#include "base/contract.h"

namespace ergon::systolic {

void MissList::put(std::int64_t number) {
  auto left = static_cast<std::uint64_t>(number);
  for (; left >= 0x80; left >>= 7) bytes_.push_back(static_cast<std::uint8_t>(left | 0x80));
  bytes_.push_back(static_cast<std::uint8_t>(left));
}

void MissList::store(const Miss& miss) {
  put(2 * (miss.line - line_before_last_) + (miss.moves > 1 ? 1 : 0));
  if (miss.moves > 1) put(miss.moves);
}

void MissList::add(const Miss& miss) {
  ERGON_EXPECTS(miss.moves > 0 && miss.line >= last_.line);
  moves_ += miss.moves;
  if (size_ > 0 && miss.line == last_.line) {
    bytes_.resize(last_offset_);
    last_.moves += miss.moves;
  } else {
    if (size_ > 0) line_before_last_ = last_.line;
    last_ = miss;
    last_offset_ = bytes_.size();
    ++size_;
  }
  store(last_);
}

std::int64_t MissList::Cursor::number() {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t byte = *next_++;
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return static_cast<std::int64_t>(number);
  }
}

void MissList::Cursor::advance() {
  done_ = next_ == end_;
  if (done_) return;
  const std::int64_t head = number();
  miss_.line += head / 2;
  miss_.moves = head % 2 == 0 ? 1 : number();
}

}  // namespace ergon::systolic
