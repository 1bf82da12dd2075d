/** Splits a text, which may have several lines, into words. */
export const words = (text: TemplateStringsArray): string[] => text.join('').trim().split(/\s+/);
