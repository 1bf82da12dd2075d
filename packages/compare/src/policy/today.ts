// Owns the moment by which acceptances expire: this machine's, or the one that a server tells its threads, because the clock of
// its machine may be wrong.

let told: Date | undefined;

export function today(): Date {
  return told ?? new Date();
}

export function tellToday(now: Date): void {
  told = now;
}
