/** A random UUID of version 4, in a page that came over plain http too, where `crypto.randomUUID` is missing. */
export function randomId(): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    (crypto.getRandomValues(new Uint8Array(1)).at(0) as number).toString(16).slice(-1),
  );
}
