// The current time for acceptances that expire: this machine's, or the one that a server sets in its threads,
// because the clock of its machine may be wrong.

let fixedNow: Date | undefined;

export function today(): Date {
  return fixedNow ?? new Date();
}

export function setToday(now: Date): void {
  fixedNow = now;
}
