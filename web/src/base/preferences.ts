// Preferences in local storage. If storage is not available (file://, private windows), nothing is stored.

export function storedPreference(key: string): string | null {
  try {
    return localStorage.getItem(`ergon.${key}`);
  } catch {
    return null;
  }
}

export function storePreference(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`ergon.${key}`);
    else localStorage.setItem(`ergon.${key}`, value);
  } catch {
    // Not stored.
  }
}
