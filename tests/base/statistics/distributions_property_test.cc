#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/distributions.h"

namespace ergon::statistics {
namespace {

double some_probability() { return *rc::gen::inRange(1, 10000) / 10000.0; }
double some_degrees() { return *rc::gen::inRange(1, 2000) / 4.0; }

RC_GTEST_PROP(DistributionsProperty, QuantileInvertsTheCdf, ()) {
  const double p = some_probability(), degrees = some_degrees();
  RC_ASSERT(std::abs(normal_cdf(normal_quantile(p)) - p) <= 1e-14);
  RC_ASSERT(std::abs(student_t_cdf(student_t_quantile(p, degrees), degrees) - p) <= 1e-12);
}

RC_GTEST_PROP(DistributionsProperty, BothAreSymmetric, ()) {
  const double z = *rc::gen::inRange(-5000, 5000) / 1000.0, degrees = some_degrees();
  RC_ASSERT(std::abs(normal_cdf(z) + normal_cdf(-z) - 1) <= 1e-15);
  RC_ASSERT(std::abs(student_t_cdf(z, degrees) + student_t_cdf(-z, degrees) - 1) <= 1e-15);
}

// Student's t has the heavier tails, and ever lighter ones with more degrees.
RC_GTEST_PROP(DistributionsProperty, TailsThinOutWithTheDegrees, ()) {
  const double t = -*rc::gen::inRange(100, 5000) / 1000.0, degrees = some_degrees();
  RC_ASSERT(student_t_cdf(t, degrees) > student_t_cdf(t, 2 * degrees));
  RC_ASSERT(student_t_cdf(t, 2 * degrees) > normal_cdf(t));
}

}  // namespace
}  // namespace ergon::statistics
