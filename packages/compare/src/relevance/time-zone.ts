// Compares time zones that have several names: `UTC` and `Etc/UTC`, `Asia/Calcutta` and `Asia/Kolkata`.

/** Universal time under any of its names, or no zone. */
export function isUtc(zone: string | null): boolean {
  return zone === null || /^(?:Etc\/)?(?:UTC|UCT|Universal|GMT|Zulu)$/.test(zone);
}

export function isSameZone(a: string, b: string): boolean {
  return a === b || (isUtc(a) && isUtc(b)) || canonical(a) === canonical(b);
}

function canonical(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
