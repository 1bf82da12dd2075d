// Java 8 and older versions call themselves 1.8.0_402 where others write 8.0.402 or 8u402.

/** The present version and the required one (or a range), both numbered as since Java 9. */
export function asOneJava(present: string, wanted: string): [present: string, wanted: string] {
  const [found = '', asked = ''] = [present, wanted].map((text) =>
    text.replace(
      /(?<![\w.])(?:1\.([5-8])\.0_(\d{1,4})(?:-b\d+)?|([5-8])u(\d{1,4})(?!\w))/g,
      (_, old, update, major = old, number = update) => `${major}.0.${Number(number)}`,
    ),
  );
  // Only Java has updates with three digits and the second number 0.
  return [
    found,
    found !== present || /^[5-8]\.0\.\d{3}/.test(found)
      ? asked.replace(/(?<![\w.])1\.(?=[5-9](?!\d))/g, '')
      : asked,
  ];
}
