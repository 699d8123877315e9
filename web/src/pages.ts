import { allocatePage } from "./allocate/page";
import { capPage } from "./cap/page";
import { devicesPage } from "./devices/page";
import { fleetPage } from "./fleet/page";
import { jobsPage } from "./jobs/page";
import { networksPage } from "./networks/page";
import type { Page } from "./page";
import { predictPage } from "./predict/page";
import { resultsPage } from "./results/page";
import { sweepPage } from "./sweep/page";

// In the order of the navigation.
export const pages: readonly Page[] = [
  networksPage, sweepPage, predictPage, allocatePage, capPage, fleetPage, devicesPage, jobsPage, resultsPage,
];

// Takes documents of schemas that no page claims.
export const lastPage: Page = resultsPage;
