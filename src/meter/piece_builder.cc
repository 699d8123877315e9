// A load that begins or ends is a jump of power, and there is rarely more than one between two updates. Then
// the readings tell where it was:
//
//   - A reading between its neighbours is the mean of before and after: the jump was inside its window, at
//     the moment that gives this mean.
//   - Two readings that differ, neither of them between its neighbours: the jump was where the sensor did not
//     look, between their windows, and nobody knows when.
//
// Opened and closed windows tell more. Work that somebody measures begins after the window opens and ends
// before it closes, often right there; so what is above the power outside belongs inside.
//
// Where the sensor does not look, power may also have gone up and come back. How likely that is shows in how
// often it is seen to jump.

#include "meter/piece_builder.h"

#include <algorithm>
#include <cmath>

namespace ergon::meter {
namespace {

constexpr double kNotNoise = 0.02;  // of the power, and as many watts: less is no jump
constexpr Watts kNotNoiseWatts{4};
constexpr double kDoubt = 0.06;      // of a window: how well a mean tells the moment of a jump
constexpr double kMemory = 10;       // seconds after which jumps are forgotten
constexpr double kExcursions = 0.3;  // excursions that nobody saw, to each jump that was seen

double square(double x) { return x * x; }

bool differs(Watts a, Watts b) {
  const double distance = std::fabs((a - b).si());
  return distance > std::max(kNotNoiseWatts.si(), kNotNoise * std::max(a.si(), b.si()));
}

// The first window that opens between two moments, the last that closes.
std::optional<Instant> opening(const std::vector<Edge>& edges, Instant begin, Instant end) {
  std::optional<Instant> first;
  for (const Edge& edge : edges) {
    if (edge.opens && edge.at > begin && edge.at < end && (!first || edge.at < *first)) first = edge.at;
  }
  return first;
}

std::optional<Instant> closing(const std::vector<Edge>& edges, Instant begin, Instant end) {
  std::optional<Instant> last;
  for (const Edge& edge : edges) {
    if (!edge.opens && edge.at > begin && edge.at < end && (!last || edge.at > *last)) last = edge.at;
  }
  return last;
}

}  // namespace

bool PieceBuilder::passes_through(std::size_t middle) const {
  if (middle == 0 || middle + 1 >= updates_.size()) return false;
  const Watts before = updates_[middle - 1].power, here = updates_[middle].power,
              after = updates_[middle + 1].power;
  const bool between = (before < here && here < after) || (before > here && here > after);
  return between && differs(before, here) && differs(here, after);
}

void PieceBuilder::count_jumps(Seconds time, bool jumped) {
  const double kept = std::exp(-time.si() / kMemory);
  jumps_ = jumps_ * kept + (jumped ? 1 : 0);
  seconds_ = seconds_ * kept + time.si();
}

// Time that the sensor did not look at, between two readings.
PowerPiece PieceBuilder::unseen(Instant begin, Instant end, const std::vector<Edge>& edges) {
  const std::size_t at = updates_.size() - 2;
  const Update &left = updates_[at - 1], &here = updates_[at];
  const bool inside = passes_through(at), inside_left = passes_through(at - 1);
  PowerPiece piece{begin, end, left.power, here.power, begin, end, {}, {}};
  if (inside != inside_left) {
    piece = flat_piece(begin, end, inside ? left.power : here.power);
  } else {
    // Where an edge limits the jump, it is as often at the edge as anywhere else up to the other end: a
    // quarter of the way from it on average, with a variance of 5/48, of which half the way explains 1/48.
    const Joules by_edge = (here.power - left.power) * (end - begin);
    const auto opens = opening(edges, begin, end), closes = closing(edges, begin, end);
    if (opens && here.power > left.power) {
      const double way = ((end - *opens) / (end - begin)).si();
      piece.jump_earliest = *opens;
      piece.jump_latest = *opens + (end - *opens) / 2;
      piece.noise += by_edge * by_edge * square(way) / 12;
    } else if (closes && here.power < left.power) {
      const double way = ((*closes - begin) / (end - begin)).si();
      piece.jump_earliest = begin + (*closes - begin) / 2;
      piece.jump_latest = *closes;
      piece.noise += by_edge * by_edge * square(way) / 12;
    }
  }
  const double rate = kExcursions * (jumps_ + 1) / (seconds_ + 2);
  const Joules excursion = std::max(swing_, Watts{std::fabs((here.power - left.power).si())}) * (end - begin);
  piece.noise += excursion * excursion * (rate * (end - begin).si() / 3);
  return piece;
}

// The window of a reading.
std::vector<PowerPiece> PieceBuilder::seen(Instant begin, Instant end, const std::vector<Edge>& edges) const {
  const std::size_t at = updates_.size() - 2;
  const Watts left = updates_[at - 1].power, here = updates_[at].power, right = updates_[at + 1].power;
  const auto opens = opening(edges, begin, end), closes = closing(edges, begin, end);
  if (passes_through(at)) {
    const double share = ((right - here) / (right - left)).si();
    const Instant jump = begin + (end - begin) * std::clamp(share, 0.0, 1.0);
    PowerPiece piece{begin, end, left, right, jump, jump, {}, {}};
    const Joules doubt = (right - left) * (end - begin) * kDoubt;
    piece.split = doubt * doubt;
    const bool contradicts =
        (opens && right > left && jump < *opens) || (closes && right < left && jump > *closes);
    if (!contradicts) return {piece};
  }
  const bool rises = opens && here > left && differs(here, left);
  const bool falls = closes && here > right && differs(here, right);
  if (!rises && !falls) return {flat_piece(begin, end, here)};
  const Instant from = rises ? *opens : begin, to = falls ? *closes : end;
  if (from >= to) return {flat_piece(begin, end, here)};
  const Joules outside = left * (from - begin) + right * (end - to);
  const Watts within = (here * (end - begin) - outside) / (to - from);
  std::vector<PowerPiece> pieces;
  if (from > begin) pieces.push_back(flat_piece(begin, from, left));
  pieces.push_back(flat_piece(from, to, within));
  if (to < end) pieces.push_back(flat_piece(to, end, right));
  const Joules doubt = (here - std::min(left, right)) * (end - begin) * kDoubt;
  for (PowerPiece& piece : pieces) piece.split = doubt * doubt;
  return pieces;
}

std::vector<PowerPiece> PieceBuilder::add(const Update& update, const std::vector<Edge>& edges) {
  updates_.push_back(update);
  if (updates_.size() < 3) return {};
  if (updates_.size() > 4) updates_.pop_front();
  // Between `left` and `here`; the neighbours outside say how to read them.
  const std::size_t at = updates_.size() - 2;
  const Update &left = updates_[at - 1], &here = updates_[at], &right = updates_[at + 1];
  if (here.at <= left.at) return {};
  count_jumps(here.at - left.at, differs(left.power, here.power));

  const Instant looked = std::max(left.at, here.at + here.window * -1.0);
  std::vector<PowerPiece> pieces;
  if (looked > left.at) pieces.push_back(unseen(left.at, looked, edges));
  for (const PowerPiece& piece : seen(looked, here.at, edges)) pieces.push_back(piece);
  // The moment of the update is known to within the bracket: between two powers, that is energy.
  const JoulesSquared timing{square((right.power - here.power).si() * here.bracket.si()) / 12};
  pieces.back().noise += here.noise + timing;
  pieces.back().split += here.split;
  return pieces;
}

}  // namespace ergon::meter
