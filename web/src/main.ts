import "./base/theme.css";
import "./base/form.css";
import "./charts/charts.css";
import "./documents/documents.css";
import { Client } from "./api/client";
import { takeTokenFromAddress } from "./api/token";
import { startPalette } from "./base/palette";
import { keepParameters, startRouter } from "./base/router";
import { startTheme } from "./base/theme";
import { startRedraw } from "./charts/redraw";
import type { ErgonDocument } from "./documents/document";
import { embeddedDocuments } from "./documents/embedded";
import { registerViews } from "./documents/views";
import { lastPage, pages } from "./pages";
import type { Entry } from "./shell";
import { Shell } from "./shell";

function start(): void {
  takeTokenFromAddress();
  startTheme();
  startPalette();
  startRedraw();
  for (const page of pages) registerViews(page.views);
  const root = document.getElementById("ergon");
  if (!root) throw new Error("index.html has no element #ergon");
  const documents = embeddedDocuments();
  const live = new Client();
  const shell = new Shell(root, documents.length > 0 ? reportEntries(documents) : liveEntries(live));
  live.onReachable((reachable) => shell.showNotice(reachable ? null : "The server does not respond. Retrying …"));
  startRouter((route) => shell.show(route));
}

function liveEntries(client: Client): Entry[] {
  return pages.map((page) => ({
    name: page.name,
    title: page.title,
    draw: ({ parameters }, signal) => page.live({ parameters, keepParameters, signal, client }),
  }));
}

function reportEntries(documents: readonly ErgonDocument[]): Entry[] {
  const shown = new Set(pages.flatMap((page) => page.schemas));
  const entries: Entry[] = [];
  for (const page of pages) {
    const own = documents.filter(({ schema }) => page.schemas.includes(schema) || (page === lastPage && !shown.has(schema)));
    if (own.length === 0) continue;
    entries.push({ name: page.name, title: page.title, draw: ({ parameters }, signal) => page.report(own, { parameters, keepParameters, signal }) });
  }
  return entries;
}

start();
