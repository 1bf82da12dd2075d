/** The words of a text, which may have several lines. */
export const words = (text: TemplateStringsArray): string[] => text.join('').trim().split(/\s+/);
