#pragma once

namespace ergon::statistics {

double normal_cdf(double z);
// The z below which a standard normal falls with probability p, 0 < p < 1.
double normal_quantile(double p);

// Student's t with `degrees` > 0, not necessarily whole.
double student_t_cdf(double t, double degrees);
double student_t_quantile(double p, double degrees);

}  // namespace ergon::statistics
