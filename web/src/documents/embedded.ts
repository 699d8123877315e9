import type { ErgonDocument } from "./document";
import { asDocument } from "./document";

let read: readonly ErgonDocument[] | null = null;

// Documents embedded in a report file; empty on the live dashboard. Parsed once.
export function embeddedDocuments(): readonly ErgonDocument[] {
  read ??= parse();
  return read;
}

function parse(): readonly ErgonDocument[] {
  const element = document.getElementById("ergon-documents");
  if (!element?.textContent) return [];
  const parsed: unknown = JSON.parse(element.textContent);
  if (!Array.isArray(parsed)) return [];
  return parsed.map(asDocument).filter((found) => found !== null);
}
