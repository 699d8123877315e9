#pragma once

#include <cstdint>
#include <vector>

namespace ergon::systolic {

// A line that cannot go on before the window has moved.
struct Miss {
  std::int64_t line = 0;
  std::int64_t moves = 0;

  friend bool operator==(const Miss&, const Miss&) = default;
};

// Misses in ascending order, about two bytes each: the distance to the line before, doubled, plus one when
// more than one move follows as a number of its own; seven bits a byte, the top bit set while more follow.
class MissList {
 public:
  // Contract: not before the last. Moves in the same line add up.
  void add(const Miss& miss);

  std::size_t size() const { return size_; }
  std::int64_t moves() const { return moves_; }  // of all
  std::int64_t last_line() const { return size_ == 0 ? -1 : last_.line; }
  std::size_t bytes() const { return bytes_.capacity(); }

  // Walks once from the first to the last.
  class Cursor {
   public:
    explicit Cursor(const MissList& list) : next_(list.bytes_.data()), end_(next_ + list.bytes_.size()) {
      advance();
    }
    bool done() const { return done_; }
    const Miss& operator*() const { return miss_; }
    const Miss* operator->() const { return &miss_; }
    void advance();

   private:
    std::int64_t number();

    const std::uint8_t* next_;
    const std::uint8_t* end_;
    Miss miss_;
    bool done_ = false;
  };

 private:
  void put(std::int64_t number);
  void store(const Miss& miss);

  std::vector<std::uint8_t> bytes_;
  Miss last_;  // as counted; what of it is stored begins at last_offset_
  std::size_t last_offset_ = 0;
  std::int64_t line_before_last_ = 0;
  std::size_t size_ = 0;
  std::int64_t moves_ = 0;
};

}  // namespace ergon::systolic
