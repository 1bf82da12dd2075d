// Variables that an output reports as not set, in the words of programs, of shells and of libraries for settings. Pure.

export interface UnsetVariable {
  readonly kind: 'unset variable';
  readonly name: string;
  /** The output reports a missing key and not of what, so the name may be the key of any table. */
  readonly isPossible: boolean;
}

const names = /(?<![\w$/-]|(?<!\benv)\.)[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,9}(?![\w-]|\.\w)/g;
/** What follows a name if a line says that it is not set: `LEDGER_DSN is not set`, `LEDGER_DSN: unbound variable`. */
const saysUnset =
  /^\\?['"`’”]?\)?:? (?:is |was |has |are )?(?:not (?:been )?(?:set|provided|configured|specified|exported)|unset|required|missing|empty|unbound variable|parameter (?:null or )?not set|(?:must|has to|needs to|should) (?:not be empty|be (?:set|defined|provided|configured|specified|exported|present)))\b/i;
/** The same of a name that the line calls a variable; else it may be a name in code. */
const saysLost =
  /^\\?['"`’”]?\)?:? (?:environment |env )?(?:variable |var )?(?:is |was |has |because it is )?(?:not (?:been )?(?:set|found|defined|present|available|provided|specified)|undefined|unset|required|missing|empty|(?:does|do) not exist|(?:must|has to|needs to|should|to) be)\b/i;
const callsItVariable = /\b(?:env(?:ironment)?[ -]?)?var(?:iable)?s?\b|\benv\b/i;
/** What precedes a name: `Missing required environment variables: `, `environment variable not found (`. */
const asksFor =
  /(?:\b(?:missing|undefined|unset|requires?|required|set|define|export|fetch|provide)\b[a-z ]{0,40}\b(?:variables?|vars?|env)(?:\(s\))?|\bvariables?(?:\(s\))? (?:is |was |are |were )?(?:not (?:found|set|defined|provided)|missing|unset|required))[:?]? {0,2}[[({]{0,2}['"`‘“]?$/i;
const asksForThe = /\b(?:set|define|export|provide|missing|requires?)(?: the| your| an?)? ['"`‘“]?$/i;
const pleads = /\b(?:please|must) (?:set|define|export) ['"`‘“]?$/i;
const isCalledVariable = /^\\?['"`’”]? (?:environment |env )?var(?:iable)?\b/i;
/** A placeholder in settings, and a required key of a structure. */
const placeholder = /(?:replace env in config: \$\{|resolve placeholder ['"]|required key )$/i;
/** Keys: `KeyError: 'LEDGER_DSN'`, `key not found: "LEDGER_DSN"`. */
const missingKey = /(?:\bKeyError: ['"]|\bkey not found: ["']|Undefined (?:array key|index:?) ["']?)$/;
/** An output that shows that the program looks into its environment. */
const looksThere =
  /\bos\.environ\b|<frozen os>|[\\/]os\.py", line|\bENV(?:\.fetch|\[)|\$_(?:ENV|SERVER)\b|\bgetenv\b/;
/** Heads a list of names, one on each line. */
const heading = /\b(?:missing|invalid|required|unset)\b[a-z ]{0,40}\bvar(?:iable)?s?\b/i;
const item = /^\W{0,8}([A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,9})['"]?(?=$|[\s:,])/;
const mostItems = 20;
const mostReported = 5;
/** Variables of CMake, options of kernels and codes of errors. */
const isOther = /^(?:CMAKE_|CONFIG_|ERR_|NOT_)|_ERROR$/;
const mostBefore = 120;

/** The variables that lines of `text` report, each once. */
export function unsetVariables(lines: readonly string[], text: string): UnsetVariable[] {
  const found = new Map<string, UnsetVariable>();
  let items = 0;
  for (const line of lines) {
    const listed = items > 0 ? item.exec(line)?.[1] : undefined;
    const isHeading = /[:{([]$/.test(line.trimEnd()) && heading.test(line);
    items = isHeading ? mostItems : listed === undefined ? 0 : items - 1;
    const named = listed === undefined ? namesIn(line) : [{ name: listed, isKey: false }];
    for (const { name, isKey } of named) {
      const isPossible = isKey && !looksThere.test(text);
      if (!isOther.test(name) && found.get(name)?.isPossible !== false)
        found.set(name, { kind: 'unset variable', name, isPossible });
    }
  }
  return [...found.values()].slice(0, mostReported);
}

interface Named {
  readonly name: string;
  readonly isKey: boolean;
}

function namesIn(line: string): Named[] {
  const isVariable = callsItVariable.test(line);
  let isListed = false;
  return [...line.matchAll(names)].flatMap(({ 0: name, index }): Named[] => {
    const before = line.slice(Math.max(0, index - mostBefore), index);
    const after = line.slice(index + name.length);
    if (missingKey.test(before)) return [{ name, isKey: true }];
    // More names follow the first one: `Missing environment variables: LEDGER_DSN, LEDGER_KEY`.
    isListed =
      asksFor.test(before) || (isListed && /['"`]?,? (?:and )?['"`]?$/.test(before) && name.includes('_'));
    const isCalled = isCalledVariable.test(after) || /\bvar(?:iable)?s?:? ['"`‘“(]{0,2}$/i.test(before);
    const isUnset =
      isListed ||
      placeholder.test(before) ||
      (isCalled && (saysLost.test(after) || asksForThe.test(before))) ||
      (name.includes('_') &&
        (pleads.test(before) || saysUnset.test(after) || (isVariable && saysLost.test(after))));
    return isUnset ? [{ name, isKey: false }] : [];
  });
}
