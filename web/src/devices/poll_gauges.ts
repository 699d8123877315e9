// Polls the current readings of all devices once per second while the page is visible.

import type { ApiResult, Gauges } from "../api/types";
import type { LiveContext } from "../page";

const periodMilliseconds = 1000;

export async function pollGauges(context: LiveContext, show: (result: ApiResult<Gauges>) => void): Promise<void> {
  while (!context.signal.aborted) {
    if (!document.hidden) {
      const result = await context.client.get<Gauges>("/gauges", {}, context.signal);
      if (context.signal.aborted) return;
      show(result);
    }
    await new Promise((resolve) => setTimeout(resolve, periodMilliseconds));
  }
}
