import type { ErgonDocument } from "./document";
import { asDocument } from "./document";

let read: readonly ErgonDocument[] | null = null;

// The documents a report file carries; none where the page was served live. Parsed once: views may ask for them, too.
export function embeddedDocuments(): readonly ErgonDocument[] {
  read ??= parse();
  return read;
}

function parse(): readonly ErgonDocument[] {
  const holder = document.getElementById("ergon-documents");
  if (!holder?.textContent) return [];
  const parsed: unknown = JSON.parse(holder.textContent);
  if (!Array.isArray(parsed)) return [];
  return parsed.map(asDocument).filter((found) => found !== null);
}
