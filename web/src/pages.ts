import { allocatePage } from "./allocate/page";
import { capPage } from "./cap/page";
import { devicesPage } from "./devices/page";
import { fleetPage } from "./fleet/page";
import { jobsPage } from "./jobs/page";
import { networksPage } from "./networks/page";
import { overviewPage } from "./overview/page";
import type { Page } from "./page";
import { predictPage } from "./predict/page";
import { resultsPage } from "./results/page";
import { sweepPage } from "./sweep/page";

const others: readonly Page[] = [
  networksPage, sweepPage, predictPage, allocatePage, capPage, fleetPage, devicesPage, jobsPage, resultsPage,
];

// In the order of the navigation.
export const pages: readonly Page[] = [overviewPage(others), ...others];

// Shows documents of all other schemas.
export const lastPage: Page = resultsPage;
