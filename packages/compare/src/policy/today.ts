// The current time for acceptances that expire: this machine's, or the time that a server sets in its threads, because its
// machine's clock may be wrong.

let fixedNow: Date | undefined;

export function today(): Date {
  return fixedNow ?? new Date();
}

export function setToday(now: Date): void {
  fixedNow = now;
}
