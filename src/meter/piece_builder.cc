// A load that begins or ends is a jump of power, and there is rarely more than one between two updates. The
// readings then locate the jump:
//
//   - A reading between its two neighbors is a mean of the powers before and after: the jump was inside its
//     averaging window, at the time that gives this mean.
//   - Two readings differ and neither is between its neighbors: the jump was between their averaging windows,
//     where the sensor does not sample, at an unknown time.
//
// The edges of measured windows add information. Measured work begins after its window opens and ends before
// the window closes, often right at the edge, so power above the power outside belongs inside the
// window.
//
// Where the sensor does not sample, power may also have risen and returned. The probability of that is
// estimated from the rate of observed jumps.

#include "meter/piece_builder.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"

namespace ergon::meter {
namespace {

constexpr double kMinJumpShare = 0.02;   // of the power, and
constexpr Watts kMinJump{4};             // at least this: smaller changes are noise
constexpr double kJumpTimeError = 0.08;  // of an averaging window: error of a jump's time found from a mean
constexpr double kPulseError = 0.17;     // the same for work shorter than a period
constexpr double kUnrelated = 0.3;       // share of edges that are unrelated to the jump next to them
constexpr double kExtraJump = 0.7;       // of the square of a jump: variance if there was another one
constexpr double kMemory = 10;           // time constant of the jump rate, in seconds
constexpr double kExcursions = 0.4;      // unobserved excursions per observed jump

bool differs(Watts a, Watts b) {
  const double distance = std::fabs((a - b).si());
  return distance > std::max(kMinJump.si(), kMinJumpShare * std::max(a.si(), b.si()));
}

// The first opening edge between two times, and the last closing edge.
std::optional<Instant> opening(const std::vector<WindowEdge>& edges, Instant begin, Instant end) {
  std::optional<Instant> first;
  for (const WindowEdge& edge : edges) {
    if (edge.opens && edge.at > begin && edge.at < end && (!first || edge.at < *first)) first = edge.at;
  }
  return first;
}

std::optional<Instant> closing(const std::vector<WindowEdge>& edges, Instant begin, Instant end) {
  std::optional<Instant> last;
  for (const WindowEdge& edge : edges) {
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

// Probability of one more jump than the readings show, from the jump rate.
double PieceBuilder::extra_jump_probability(Seconds time) const {
  return std::min(0.5, jumps_ / (seconds_ + 1) * time.si());
}

// The span between two averaging windows, which the sensor does not sample.
PowerPiece PieceBuilder::unobserved(Instant begin, Instant end, const std::vector<WindowEdge>& edges) {
  const std::size_t at = updates_.size() - 2;
  const SensorUpdate &left = updates_[at - 1], &here = updates_[at];
  const bool inside = passes_through(at), inside_left = passes_through(at - 1);
  PowerPiece piece{begin, end, left.power, here.power, begin, end, {}, {}};
  if (inside != inside_left) {
    piece = flat_piece(begin, end, inside ? left.power : here.power);
    const Joules otherwise = (here.power - left.power) * (end - begin);
    piece.noise += otherwise * otherwise * (extra_jump_probability(end - begin) * kExtraJump);
  } else {
    // Measured work begins at the edge with probability 1/2, otherwise anywhere between the edge and the
    // other end. As a share of that distance the mean is 1/4 and the variance 5/48, of which the uniform
    // distribution over half the distance explains 1/48. Sometimes the edge is unrelated to the jump.
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

// The averaging window of a reading that is a mean of the powers before and after.
//
// A window edge may contradict: work appears to begin before its window opens, or to end after it closes. A
// small contradiction is due to the uncertain times of updates. A larger one means that the edge is unrelated
// to the work, or that a neighbor is itself a mean over work shorter than a period.
PowerPiece PieceBuilder::jump_within(Instant begin, Instant end, const std::vector<WindowEdge>& edges) const {
  const std::size_t at = updates_.size() - 2;
  const Watts left = updates_[at - 1].power, here = updates_[at].power, right = updates_[at + 1].power;
  const Instant estimate =
      begin + (end - begin) * std::clamp(((right - here) / (right - left)).si(), 0.0, 1.0);
  const Seconds tolerance = updates_[at].bracket + updates_[at - 1].bracket;
  Instant jump = estimate;
  const auto opens = opening(edges, begin, end), closes = closing(edges, begin, end);
  if (opens && right > left && estimate < *opens && *opens - estimate <= tolerance) jump = *opens;
  const bool steady_before = at < 2 || !differs(updates_[at - 2].power, left);
  if (closes && right < left && estimate > *closes && (estimate - *closes <= tolerance || !steady_before))
    jump = *closes;
  // Keep the mean equal to the reading.
  PowerPiece piece{begin, end, left, right, jump, jump, {}, {}};
  const Joules moved = here * (end - begin) - piece.energy(begin, end);
  if (jump < end && right > left) piece.after += moved / (end - jump);
  if (jump > begin && right < left) piece.before += moved / (jump - begin);
  if (!plausible(piece.before) || !plausible(piece.after))
    piece = {begin, end, left, right, estimate, estimate, {}, {}};
  const Joules all = (right - left) * (end - begin);
  piece.split = all * all * (square(kJumpTimeError) + extra_jump_probability(end - begin) / 12);
  return piece;
}

// An inferred power must not be far above the readings.
bool PieceBuilder::plausible(Watts power) const {
  Watts highest;
  for (const SensorUpdate& update : updates_) highest = std::max(highest, update.power);
  return power >= Watts{0} && power <= highest + swing_;
}

// The averaging window of a reading.
std::vector<PowerPiece> PieceBuilder::observed(Instant begin, Instant end,
                                               const std::vector<WindowEdge>& edges) const {
  if (passes_through(updates_.size() - 2)) return {jump_within(begin, end, edges)};
  const std::size_t at = updates_.size() - 2;
  const Watts left = updates_[at - 1].power, here = updates_[at].power, right = updates_[at + 1].power;
  std::vector<PowerPiece> flat{flat_piece(begin, end, here)};
  const Joules unlike =
      Watts{std::max(std::fabs((here - left).si()), std::fabs((here - right).si()))} * (end - begin);
  if (differs(here, left) || differs(here, right)) flat[0].split = unlike * unlike * square(kPulseError);
  // Work shorter than a period gives a reading above both neighbors. If a window was open for a part of this
  // time, the work is assumed to be inside it.
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
  const Joules error = (here - std::max(left, right)) * (end - begin) * kPulseError;
  for (PowerPiece& piece : pieces) piece.split = error * error;
  return pieces;
}

std::vector<PowerPiece> PieceBuilder::add(const SensorUpdate& update, const std::vector<WindowEdge>& edges) {
  updates_.push_back(update);
  if (updates_.size() < 3) return {};
  if (updates_.size() > 4) updates_.pop_front();
  // The span between `left` and `here`; the neighbors outside determine how it is interpreted.
  const std::size_t at = updates_.size() - 2;
  const SensorUpdate &left = updates_[at - 1], &here = updates_[at], &right = updates_[at + 1];
  if (here.at <= left.at) return {};
  count_jumps(here.at - left.at, differs(left.power, here.power));

  const Instant sampled = std::max(left.at, here.at + here.window * -1.0);
  std::vector<PowerPiece> pieces;
  if (sampled > left.at) pieces.push_back(unobserved(left.at, sampled, edges));
  for (const PowerPiece& piece : observed(sampled, here.at, edges)) pieces.push_back(piece);
  // The time of the update is uncertain by its bracket, which is energy if the power changes there.
  const JoulesSquared timing{square((right.power - here.power).si() * here.bracket.si()) / 12};
  pieces.back().noise += here.noise + timing;
  pieces.back().split += here.split;
  return pieces;
}

}  // namespace ergon::meter
