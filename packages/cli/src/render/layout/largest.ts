/** The largest of numbers, 0 of none. As arguments of one call, 100,000 packages would not fit on the stack. */
export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}
