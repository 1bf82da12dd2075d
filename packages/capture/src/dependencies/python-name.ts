// The one spelling of a Python package's name, of which its tools write any. PEP 503.

/** Without extras, in lower case, with dashes. */
export function plainPythonName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\[.*$/s, '')
    .replace(/[-_.]+/g, '-');
}
