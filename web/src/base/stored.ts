// Small preferences. Storage may be missing or refused (file://, private windows): then nothing is remembered.

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`ergon.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`ergon.${key}`);
    else localStorage.setItem(`ergon.${key}`, value);
  } catch {
    // Not remembered, nothing else.
  }
}
