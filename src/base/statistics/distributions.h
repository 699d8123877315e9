#pragma once

namespace ergon::statistics {

double normal_cdf(double z);
// Quantile of the standard normal distribution, 0 < p < 1.
double normal_quantile(double p);

// Student's t distribution with `degrees` > 0, not necessarily an integer.
double student_t_cdf(double t, double degrees);
double student_t_quantile(double p, double degrees);

}  // namespace ergon::statistics
