#include "base/statistics/quantile_sketch.h"

#include <cmath>

#include "base/contract.h"

namespace ergon::statistics {
namespace {

// Bucket i counts values in (kWidth^(i-1), kWidth^i].
constexpr double kWidth = 1.01;
// Smaller values count as zero.
constexpr double kLeast = 1e-15;

std::int32_t bucket_of(double value) {
  static const double kLogWidth = std::log(kWidth);
  return static_cast<std::int32_t>(std::ceil(std::log(value) / kLogWidth));
}

// The value with the same relative distance to both ends of the bucket.
double middle_of(std::int32_t bucket) { return std::pow(kWidth, bucket) * 2 / (1 + kWidth); }

}  // namespace

void QuantileSketch::add(double value, double weight) {
  ERGON_EXPECTS(std::isfinite(value) && value >= 0 && weight > 0);
  (value < kLeast ? zeros_ : buckets_[bucket_of(value)]) += weight;
  count_ += weight;
}

void QuantileSketch::merge(const QuantileSketch& other) {
  for (const auto& [bucket, count] : other.buckets_) buckets_[bucket] += count;
  zeros_ += other.zeros_;
  count_ += other.count_;
}

std::optional<double> QuantileSketch::quantile(double share) const {
  ERGON_EXPECTS(share >= 0 && share <= 1);
  if (!(count_ > 0)) return std::nullopt;
  const double wanted = share * count_;
  double so_far = zeros_;
  if (so_far >= wanted && so_far > 0) return 0;
  for (const auto& [bucket, count] : buckets_) {
    so_far += count;
    if (so_far >= wanted) return middle_of(bucket);
  }
  return middle_of(buckets_.rbegin()->first);
}

void QuantileSketch::each(const std::function<void(double, double)>& visit) const {
  if (zeros_ > 0) visit(0, zeros_);
  for (const auto& [bucket, count] : buckets_) visit(middle_of(bucket), count);
}

QuantileSketch QuantileSketch::of(std::map<std::int32_t, double> buckets, double zeros) {
  QuantileSketch sketch;
  sketch.buckets_ = std::move(buckets);
  sketch.zeros_ = sketch.count_ = zeros;
  for (const auto& [bucket, count] : sketch.buckets_) sketch.count_ += count;
  return sketch;
}

}  // namespace ergon::statistics
