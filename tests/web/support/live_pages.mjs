// The pages of the dashboard: what each calls itself, the fields of its forms, what else it shows, and how many charts
// it draws unasked.

export const livePages = [
  { route: "networks?network=resnet50", heading: "Networks", charts: 3,
    forms: { "Inspect a network": ["network", "size", "sequence", "batch", "mode"] } },
  { route: "predict?network=resnet50&device=h200&batch=32", heading: "Predict", charts: 4,
    forms: { "Predict a network": ["network", "size", "sequence", "device", "batch", "mode", "precision", "clock", "limit"],
             "Operating point": ["at-clock", "at-batch", "at-precision"] } },
  { route: "allocate?network=scalesim/MobileNet", heading: "Allocate", charts: 2,
    forms: { "Allocate clocks and bandwidths": ["on", "network", "accelerator", "memory", "scheme", "device", "batch", "mode",
                                                "precision", "gpu-scheme", "slack"] } },
  { route: "devices", heading: "Devices", charts: 2, shows: /v100-0[^]*\d\sW\s+limit 250\sW[^]*a30-1[^]*Twins/ },
  { route: "sweep", heading: "Sweep", charts: 0, shows: /Sweeps/,
    forms: { "Sweep networks over clocks": ["device", "clocks", "repeat", "batch", "scenario", "networks"] } },
  { route: "cap", heading: "Cap", charts: 0, shows: /Runs under a cap/,
    forms: { "Hold a power cap": ["network", "device", "watts", "controller", "duration", "latency", "arrivals"] } },
  { route: "fleet", heading: "Fleet", charts: 0, shows: /Fleets made here[^]*Kept analyses/,
    forms: { "Simulate and analyse a fleet": ["hosts", "hours", "seed", "loss", "skew", "price-kwh"] } },
  { route: "jobs", heading: "Jobs", charts: 0,
    forms: { "Profile networks": ["device", "batch", "mode", "what", "precision", "networks"], "Reproduce a paper": ["paper"] } },
  { route: "results", heading: "Results", charts: 0, shows: /ergon\.inspect\/1/ },
];
