#pragma once

/* Functions of the fake library in addition to NVML's: load for its GPUs, true energy, and time. Plain C.
 *
 * All return NVML's codes (0: success) and need nvmlInit() first. Devices are identified by their index. The
 * symbol ergon_fake_nvml_version distinguishes the fake from a driver. See docs/fake-nvml.md. */

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header: 1. The only function that works before nvmlInit(). */
int ergon_fake_nvml_version(void);

/* Message of the last failed call, in any thread; "" if none. Valid until the next call. */
const char* ergon_fake_nvml_last_error(void);

/* Opens or closes the context of this process on a GPU. It also closes when the process ends. */
int ergon_fake_nvml_open_context(unsigned gpu);
int ergon_fake_nvml_close_context(unsigned gpu);

struct ErgonFakeNvmlLoad {
  const char* network;   /* name in the zoo, for example "resnet50" */
  long long batch;       /* 0: 1 */
  const char* precision; /* "fp32", "tf32", "bf16", "fp16"; null: "tf32" */
  const char* mode;      /* "inference", "training"; null: "inference" */
  long long iterations;  /* 0: until stopped */
};

/* Starts a load, replaces the previous load of this process on the GPU, and opens a context. Does not block.
 * If several processes have a load, the newest runs until it is stopped; the others wait. */
int ergon_fake_nvml_run(unsigned gpu, const struct ErgonFakeNvmlLoad* load);
int ergon_fake_nvml_stop(unsigned gpu);

/* Time since the simulation started. */
int ergon_fake_nvml_now(double* seconds);
/* Advances time for all processes, if the scenario has manual time. */
int ergon_fake_nvml_advance(double seconds);
/* Restarts the simulation for all processes, at time 0. */
int ergon_fake_nvml_reset(void);

/* Exact current values of a GPU. */
struct ErgonFakeNvmlTruth {
  double seconds; /* simulation time */
  double watts;
  double joules;     /* since the simulation started */
  double iterations; /* since the simulation started, over all loads */
  int running;       /* 1 while a load runs */
};
int ergon_fake_nvml_truth(unsigned gpu, struct ErgonFakeNvmlTruth* truth);

/* Locked and application clocks in MHz; 0 if not set. */
struct ErgonFakeNvmlClocks {
  unsigned core_min, core_max, memory_min, memory_max, application_memory, application_core;
};
int ergon_fake_nvml_clocks(unsigned gpu, struct ErgonFakeNvmlClocks* clocks);

#ifdef __cplusplus
}
#endif
