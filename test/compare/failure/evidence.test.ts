import { adviceOf, type ComparableEnvironment, compareEnvironments, readFailure } from '@envsnap/compare';
import { comparisonToDocument } from '@envsnap/compare/formats/json';
import { isInOutput } from '@envsnap/compare/workspace';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../bench/causes/case.ts';
import { measureCase } from '../../../bench/causes/measure.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';

const { worksParts, failsParts, named, claimed, differingFacts, asPrinted, notNamed, meant } = readTestData<{
  worksParts: object;
  failsParts: object;
  named: [string, string][];
  claimed: string[][];
  asPrinted: [string, object, object][];
  notNamed: [string, object, object][];
  meant: [string, string, object, object][];
  differingFacts: Record<string, readonly [unknown, unknown]>;
}>(import.meta);

const machine = (part: Partial<ComparableEnvironment>): ComparableEnvironment => ({
  machineName: 'm',
  os: 'linux',
  arch: 'x64',
  ...part,
});
const works = machine(worksParts);
const fails = machine(failsParts);
const explained = (output: string) => compareEnvironments(works, fails, { failure: readFailure(output) });
const first = (output: string) => {
  const [cause] = explained(output).causes;
  return [`${cause?.section}:${cause?.keys[0]}`, cause?.evidence ?? (cause?.hinted && 'hinted')];
};

const facts = (values: Record<string, unknown>) => ({ metadata: { facts: values } });

describe('the output of a failure', () => {
  it('mentions a declared version, whatever the number of files', () => {
    const node = (version: string) => ({
      present: '20.9.0',
      declared: ['.nvmrc', '.node-version'].map((source) => ({
        source,
        version,
        satisfied: version === '20',
      })),
    });
    const declaring = (version: string) => machine({ metadata: { toolchain: { node: node(version) } } });
    const output = 'engine "node" is incompatible; requires node >= 22';
    const [cause] = compareEnvironments(declaring('20'), declaring('22'), {
      failure: readFailure(output),
    }).causes;
    expect(cause).toMatchObject({ section: 'toolchain', evidence: expect.stringContaining('requires node') });
  });

  it.each(named)('puts first what it names: %s', (output, key) => {
    expect(first(output)).toEqual([key, expect.stringMatching(/\w/)]);
  });

  it.each(asPrinted)('is read as programs and reports write it: %s', (output, a, b) => {
    const { causes } = compareEnvironments(machine(a), machine(b), { failure: readFailure(output) });
    expect(causes[0]?.evidence ?? output).toContain(output.trim().slice(0, 20));
    expect(causes[0] && isInOutput(causes[0])).toBe(true);
  });

  it.each(meant)('means what it does not name: %s', (output, key, a, b) => {
    const { causes } = compareEnvironments(machine(a), machine(b), { failure: readFailure(output) });
    expect(causes[0]?.keys).toContain(key);
  });

  it('quotes no words that do not hold what differs', () => {
    const [cause] = explained('Invalid date 2024-01-01 expected').causes;
    expect(cause).toMatchObject({ keys: ['TZ'], hinted: true });
    expect(cause).not.toHaveProperty('evidence');
  });

  it('that reports errors and mentions no difference leaves versions as likely as before, and makes variables less likely', () => {
    const sides = [{ DATABASE_URL: 'x' }, { NO_COLOR: '1' }].map((envVars, place) =>
      machine({ envVars, runtimeVersions: { npm: `${9 + place}.0.0` } }),
    ) as [ComparableEnvironment, ComparableEnvironment];
    const scores = (output: string) => {
      const { causes } = compareEnvironments(...sides, { failure: readFailure(output) });
      return new Map(causes.map(({ keys, score }) => [keys[0], score]));
    };
    const [silent, empty] = [scores('error: 2 of 7 checks failed'), scores('')];
    expect(silent.get('npm')).toBe(empty.get('npm'));
    expect(silent.get('DATABASE_URL')).toBeLessThanOrEqual((empty.get('DATABASE_URL') ?? 0) / 2);
    expect(scores('2 tests failed').get('NO_COLOR')).toBeGreaterThan(silent.get('NO_COLOR') ?? 0);
  });

  it('names no C library that is new enough for what is asked for', () => {
    expect(first("version `GLIBC_2.28' not found")[1]).toBeUndefined();
  });

  it.each(notNamed)(
    'does not name a limit if B has as much as A, a tool that nobody uses, or a part of a word: %s',
    (output, a, b) => {
      const { causes } = compareEnvironments(machine(a), machine(b), { failure: readFailure(output) });
      expect(causes.filter(isInOutput)).toEqual([]);
      expect(causes).not.toEqual([]);
    },
  );

  const everything = (at: 0 | 1) => {
    const runtimes = words`node python ruby java go php rustc elixir dotnet gcc make maven bundler`;
    const valuesAt = (values: Record<string, readonly [unknown, unknown]>) =>
      Object.fromEntries(
        Object.entries(values).flatMap(([key, pair]) => (pair[at] === null ? [] : [[key, pair[at]]])),
      );
    return machine({
      runtimeVersions: Object.fromEntries(runtimes.map((name, n) => [name, `${3 + n - at}.${n}.0`])),
      envVars: valuesAt({
        LANG: ['en_US.UTF-8', 'C'],
        HTTP_PROXY: [null, 'http://p:1'],
        PYTHONUTF8: ['1', null],
      }) as Record<string, string>,
      ...facts(valuesAt(differingFacts)),
    });
  };

  it.each(claimed)('names only its own cause among many differences: %s', (output, ...keys) => {
    const { causes } = compareEnvironments(everything(0), everything(1), { failure: readFailure(output) });
    expect(causes.filter(isInOutput).map((cause) => cause.keys[0])).toEqual(keys);
  });

  it('asks for a version if one of its numbers distinguishes the two', () => {
    const causeOf = (a: string, b: string) => {
      const output = `Deprecated features were used: incompatible with Gradle 9.0\nFAIL unicode`;
      const on = (gradle: string, LANG: string) =>
        machine({ runtimeVersions: { gradle }, envVars: { LANG } });
      return compareEnvironments(on(a, 'en_US.UTF-8'), on(b, 'C'), { failure: readFailure(output) }).causes[0]
        ?.keys;
    };
    expect(causeOf('8.5', '9.1')).toEqual(['gradle']);
    expect(causeOf('8.5', '8.7')).toEqual(['LANG']);
  });

  it.each([
    'watchman: cannot crawl',
    'Error: watchman --no-pretty failed',
    "spawn 'watchman' failed",
    'build of watchman failed',
  ])('names a tool that only B has if the tool wrote the output or is quoted: %s', (output) => {
    const { causes } = compareEnvironments(
      machine({ runtimeVersions: { make: '4.4.0' } }),
      machine({ runtimeVersions: { make: '4.3.0', watchman: '2024.1' } }),
      { failure: readFailure(output) },
    );
    expect(causes[0]?.evidence).toBe(output.startsWith('build') ? undefined : output);
  });

  it('is read line by line if it is short and has no error', () => {
    const lines = 'Resolving with poetry\n7 packages';
    const { causes } = compareEnvironments(
      machine({ runtimeVersions: { poetry: '1.8.0' } }),
      machine({ runtimeVersions: { poetry: '2.1.0' } }),
      { failure: readFailure(lines) },
    );
    expect(causes[0]?.evidence).toBe('Resolving with poetry');
  });

  it('that holds the value of a variable means that variable', () => {
    const { causes } = compareEnvironments(
      machine({ envVars: { LINT_MODE: 'lenient', API_URL: 'http://one' } }),
      machine({ envVars: { LINT_MODE: '-Dwarnings', API_URL: 'http://two' } }),
      { failure: readFailure('error: unused variable, implied by `-Dwarnings`') },
    );
    expect(causes[0]).toMatchObject({
      keys: ['LINT_MODE'],
      evidence: 'error: unused variable, implied by `-Dwarnings`',
    });
  });

  it('in another language means the language where a side has another one', () => {
    const isHinted = (locale: string) =>
      compareEnvironments(machine({ metadata: { locale: 'C.UTF-8' } }), machine({ metadata: { locale } }), {
        failure: readFailure('Fehler: 3 Tests'),
      }).causes[0]?.hinted;
    expect(isHinted('de_DE.UTF-8')).toBe(true);
    expect(isHinted('en_US.UTF-8')).toBeUndefined();
  });

  it('that asks for another version is no sign of a patch', () => {
    const scoreOf = (java: string) =>
      compareEnvironments(
        machine({ runtimeVersions: { java: '17.0.9' } }),
        machine({ runtimeVersions: { java } }),
        { failure: readFailure('UnsupportedClassVersionError: class file version 65.0') },
      ).causes[0]?.score ?? 0;
    expect(scoreOf('17.0.13')).toBeLessThan(200);
    expect(scoreOf('11.0.2')).toBeGreaterThan(200);
  });

  const losesFewFirstCauses = (measured: typeof cases) => async () => {
    const among = (places: readonly (number | null)[]) =>
      places.filter((place) => place !== null && place <= 3).length / places.length;
    let lost = 0;
    for (const one of measured) {
      const { places, withWrongOutput } = await measureCase(one, 1);
      lost += among(places) - among(withWrongOutput);
    }
    expect(lost / measured.length).toBeLessThan(0.01);
  };
  const title = 'of another failure takes a cause from the first three in fewer than 1 of 100 comparisons';
  const tenth = cases.filter((_, place) => place % 10 === 0);
  it(`${title}: a tenth of the cases`, losesFewFirstCauses(tenth));
  it(`${title}: all cases`, { tags: 'release', timeout: 180_000 }, losesFewFirstCauses(cases));

  it('does not treat a list of the whole environment as a hint', () => {
    const dump = 'NODE_ENV=x\nACME_MODE=x\nTZ=x\nSHAREDDIR=x\nUSER_FLAG=1\n';
    expect(explained(dump).causes.filter(isInOutput)).toEqual([]);
  });

  it('hides none of the two likeliest causes by a wrong hint', () => {
    const without = compareEnvironments(works, fails)
      .causes.slice(0, 2)
      .map(({ what }) => what);
    const outputs = [
      'EMFILE',
      'sh: 1: vite: not found',
      'Invalid date 2024-01-01 expected',
      'ACME_MODE SHAREDDIR USER_FLAG',
    ];
    for (const output of outputs) {
      const three = explained(output)
        .causes.slice(0, 3)
        .map(({ what }) => what);
      expect(three).toEqual(expect.arrayContaining(without));
    }
  });

  it('is quoted in the headline and the document, which say so when it is of no help', () => {
    const report = explained('EMFILE: too many open files');
    expect(comparisonToDocument(report).causes[0]).toMatchObject({ evidence: 'EMFILE: too many open files' });
    const { notes, causes } = comparisonToDocument(explained('Segfault in module foo'));
    expect(notes.map(({ code }) => code)).toContain('failure_names_nothing');
    expect(causes.some((cause) => 'evidence' in cause)).toBe(false);
    expect(comparisonToDocument(compareEnvironments(works, fails)).notes).toEqual([]);
  });

  it('does not change what counts', () => {
    const plain = compareEnvironments(works, fails, { explains: true });
    const report = explained('EMFILE');
    expect(report.verdict).toBe(plain.verdict);
    expect([...report.counting].map(({ key }) => key)).toEqual([...plain.counting].map(({ key }) => key));
  });
});

describe('the keys of a cause in the document', () => {
  it('are five at most, with their number', () => {
    const packages = (version: string) =>
      Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`package-${n}`, version]));
    const side = (version: string) => machine({ dependencies: { 'package-lock.json': packages(version) } });
    const [cause] = comparisonToDocument(compareEnvironments(side('1.0.0'), side('2.0.0'))).causes;
    expect(cause?.keys).toHaveLength(5);
    expect(cause?.keyCount).toBe(600);
  });
});

it('what is missing from the search path, and what is not a repository, is named by what lacks it', () => {
  const side = (facts: object, git?: object) => ({
    machineName: 'm',
    metadata: { facts, project: { root: '/' }, ...git },
  });
  const git = { git: { commit: 'a' }, checkout: {} };
  const [top] = compareEnvironments(
    side({ 'path.programs': ['bash', 'ps'] }),
    side({ 'path.programs': ['bash'] }),
    { failure: readFailure('sh: 1: ps: not found') },
  ).causes;
  expect(top).toMatchObject({ evidence: 'sh: 1: ps: not found', advice: 'install what is missing in B' });
  const report = compareEnvironments(side({}, git), side({}), {
    failure: readFailure('fatal: not a git repository (or any of the parent directories): .git'),
  });
  expect(adviceOf(report)).toBe('copy or mount .git too, or clone the repository, in B');
});
