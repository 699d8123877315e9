import { h } from "./dom";

export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read the blob after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
