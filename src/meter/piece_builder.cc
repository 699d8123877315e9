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

#include "base/square.h"

namespace ergon::meter {
namespace {

constexpr double kNotNoise = 0.02;  // of the power, and as many watts: less is no jump
constexpr Watts kNotNoiseWatts{4};
constexpr double kDoubt = 0.08;  // of a window: how well a mean tells the moment of a jump
constexpr double kDoubtOfPulses = 0.17;
constexpr double kUnrelated = 0.3;   // edges that have nothing to do with the jump next to them
constexpr double kOtherwise = 0.7;   // of the square of a jump, where there was one more
constexpr double kMemory = 10;       // seconds after which jumps are forgotten
constexpr double kExcursions = 0.4;  // excursions that nobody saw, to each jump that was seen

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

// How likely there was one more jump than the readings tell of, by how often there are some.
double PieceBuilder::another_jump(Seconds time) const {
  return std::min(0.5, jumps_ / (seconds_ + 1) * time.si());
}

// Time that the sensor did not look at, between two readings.
PowerPiece PieceBuilder::unseen(Instant begin, Instant end, const std::vector<Edge>& edges) {
  const std::size_t at = updates_.size() - 2;
  const Update &left = updates_[at - 1], &here = updates_[at];
  const bool inside = passes_through(at), inside_left = passes_through(at - 1);
  PowerPiece piece{begin, end, left.power, here.power, begin, end, {}, {}};
  if (inside != inside_left) {
    piece = flat_piece(begin, end, inside ? left.power : here.power);
    const Joules otherwise = (here.power - left.power) * (end - begin);
    piece.noise += otherwise * otherwise * (another_jump(end - begin) * kOtherwise);
  } else {
    // Work that a window measures begins as often right at its edge as anywhere else up to the other end: a
    // quarter of the way from it on average, with a variance of 5/48, of which half the way explains 1/48.
    // Now and then the edge has nothing to do with the jump.
    const Joules by_edge = (here.power - left.power) * (end - begin);
    const auto limit = [&](Instant earliest, Instant latest, double way) {
      piece.jump_earliest = earliest;
      piece.jump_latest = latest;
      piece.noise += by_edge * by_edge * (square(way) / 12 + kUnrelated * square(1 - way));
    };
    const auto opens = opening(edges, begin, end), closes = closing(edges, begin, end);
    if (opens && here.power > left.power) {
      limit(*opens, *opens + (end - *opens) / 2, ((end - *opens) / (end - begin)).si());
    } else if (closes && here.power < left.power) {
      limit(begin + (*closes - begin) / 2, *closes, ((*closes - begin) / (end - begin)).si());
    }
  }
  const double rate = kExcursions * (jumps_ + 1) / (seconds_ + 2);
  const Joules excursion = std::max(swing_, Watts{std::fabs((here.power - left.power).si())}) * (end - begin);
  piece.noise += excursion * excursion * (rate * (end - begin).si() / 3);
  return piece;
}

// The window of a reading that is the mean of before and after.
//
// An edge may contradict: work seems to begin before the window opens, or to end after it closes. By a
// little, that is because moments of updates are not known exactly. By more, either the edge has nothing to
// do with the work, or a neighbour is not the power that it seems, but itself a mean of work shorter than a
// period.
PowerPiece PieceBuilder::jump_within(Instant begin, Instant end, const std::vector<Edge>& edges) const {
  const std::size_t at = updates_.size() - 2;
  const Watts left = updates_[at - 1].power, here = updates_[at].power, right = updates_[at + 1].power;
  const Instant told = begin + (end - begin) * std::clamp(((right - here) / (right - left)).si(), 0.0, 1.0);
  const Seconds give = updates_[at].bracket + updates_[at - 1].bracket;
  Instant jump = told;
  const auto opens = opening(edges, begin, end), closes = closing(edges, begin, end);
  if (opens && right > left && told < *opens && *opens - told <= give) jump = *opens;
  const bool steady_before = at < 2 || !differs(updates_[at - 2].power, left);
  if (closes && right < left && told > *closes && (told - *closes <= give || !steady_before)) jump = *closes;
  // The mean stays what was read.
  PowerPiece piece{begin, end, left, right, jump, jump, {}, {}};
  const Joules moved = here * (end - begin) - piece.energy(begin, end);
  if (jump < end && right > left) piece.after += moved / (end - jump);
  if (jump > begin && right < left) piece.before += moved / (jump - begin);
  if (!plausible(piece.before) || !plausible(piece.after))
    piece = {begin, end, left, right, told, told, {}, {}};
  const Joules all = (right - left) * (end - begin);
  piece.split = all * all * (square(kDoubt) + another_jump(end - begin) / 12);
  return piece;
}

// What nobody read is not far above what was.
bool PieceBuilder::plausible(Watts power) const {
  Watts highest;
  for (const Update& update : updates_) highest = std::max(highest, update.power);
  return power >= Watts{0} && power <= highest + swing_;
}

// The window of a reading.
std::vector<PowerPiece> PieceBuilder::seen(Instant begin, Instant end, const std::vector<Edge>& edges) const {
  if (passes_through(updates_.size() - 2)) return {jump_within(begin, end, edges)};
  const std::size_t at = updates_.size() - 2;
  const Watts left = updates_[at - 1].power, here = updates_[at].power, right = updates_[at + 1].power;
  std::vector<PowerPiece> flat{flat_piece(begin, end, here)};
  const Joules unlike =
      Watts{std::max(std::fabs((here - left).si()), std::fabs((here - right).si()))} * (end - begin);
  if (differs(here, left) || differs(here, right)) flat[0].split = unlike * unlike * square(kDoubtOfPulses);
  // Work shorter than a period stands out above both neighbours. Somebody's window was open for it, if one
  // was open for a part of the time.
  const bool stands_out = here > left && here > right && differs(here, left) && differs(here, right);
  const auto opens = opening(edges, begin, end), closes = closing(edges, begin, end);
  if (!stands_out || (!opens && !closes)) return flat;
  const Instant from = opens.value_or(begin), to = closes.value_or(end);
  if (from >= to) return flat;
  const Joules outside = left * (from - begin) + right * (end - to);
  const Watts within = (here * (end - begin) - outside) / (to - from);
  if (!plausible(within)) return flat;
  std::vector<PowerPiece> pieces;
  if (from > begin) pieces.push_back(flat_piece(begin, from, left));
  pieces.push_back(flat_piece(from, to, within));
  if (to < end) pieces.push_back(flat_piece(to, end, right));
  const Joules doubt = (here - std::max(left, right)) * (end - begin) * kDoubtOfPulses;
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
