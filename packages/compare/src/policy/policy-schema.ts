// The shape of a policy file: one zod schema that checks it, and from which the published JSON Schema is made.

import * as z from 'zod';
import { isDay, type Policy } from './policy.ts';
import { presetNames } from './presets.ts';

/** Scalars are read as the text that was written (`22.10` stays `22.10`, `no` stays `no`). */
const scalar = z.string('must be text or a number').meta({ type: ['string', 'number', 'boolean'] });
const oneOrMore = z.union([scalar, z.array(scalar).min(1, 'must not be an empty list')], {
  error: 'must be one value or a list of values',
});
const mapOf = (what: string) =>
  z.record(z.string().min(1), oneOrMore, `must map ${what} to what is expected of it`);
/** Each pattern is tested on every entry of a comparison, so a longer list could take minutes. */
const maxPatterns = 1000;
const tooMany = `must hold at most ${maxPatterns.toLocaleString('en-US')}`;
const names = (what: string) => z.array(scalar, `must be a list of ${what}`).max(maxPatterns, tooMany);

const acceptance = z.strictObject(
  {
    key: scalar
      .min(1, 'must not be empty')
      .describe('SECTION:PATTERN, SECTION or PATTERN, as in ignore: env:LOG_LEVEL.'),
    a: scalar.optional().describe('Applies only while A has this value; an empty text means no value.'),
    b: scalar.optional().describe('Applies only while B has this value; an empty text means no value.'),
    reason: scalar.min(1, 'must say why').describe('Why it is accepted.'),
    until: scalar
      .refine(isDay, 'must be a calendar date, YYYY-MM-DD')
      .optional()
      .meta({ type: 'string', format: 'date' })
      .describe('Last day on which it applies, in UTC. Afterwards the difference counts again.'),
  },
  'must have a key and a reason',
);

export const policySchema = z
  .strictObject(
    {
      version: z
        .literal('1', 'must be 1')
        .meta({ type: 'integer', const: 1 })
        .optional()
        .describe('Version of this format; 1 is the only one.'),
      baseline: scalar
        .min(1, 'must not be empty')
        .optional()
        .describe(
          'What `envsnap compare` uses as A if you name none: latest:MACHINE, a snapshot id, or a capture file relative to this file.',
        ),
      failOn: z
        .union([scalar, names('fail-on rules')], {
          error: 'must be fail-on rules, e.g. [runtimes:minor, env]',
        })
        .optional()
        .describe(
          'Which differences count: SECTION[:PATTERN][:LEVEL], or none, or all. The same as --fail-on.',
        ),
      preset: z
        .enum(presetNames, { error: `must be ${presetNames.join(' or ')}` })
        .optional()
        .describe(
          'What counts if there is no failOn: ci (a person’s machine against CI) or strict (everything). The same as --preset.',
        ),
      accepted: z
        .array(acceptance, 'must be a list of accepted differences, each with key and reason')
        .max(maxPatterns, tooMany)
        .optional()
        .describe('Known differences that do not count. envsnap accept adds to it.'),
      ignore: names('ignore patterns')
        .optional()
        .describe('Entries that are left out: SECTION:PATTERN, SECTION or PATTERN. The same as --ignore.'),
      expect: z
        .strictObject(
          {
            os: oneOrMore.optional().describe('Operating system: linux, darwin, win32.'),
            arch: oneOrMore.optional().describe('Architecture: x64, arm64.'),
            runtimes: mapOf('runtimes')
              .optional()
              .describe('Runtime to version or range: ">=22 <25", "3.12", "^1.4". A list needs one match.'),
            env: mapOf('variables').optional().describe('Variable to value. A list needs one match.'),
            facts: mapOf('facts')
              .optional()
              .describe(
                'Fact (docs/reference/facts.md) to value: limits.openFiles: ">=4096", fs.caseSensitive: true. A fact that is a list must have all these values.',
              ),
            system: mapOf('facts of the system')
              .optional()
              .describe(
                'Fact of the system (libc, distribution, timezone, locale, …) to its value or the beginning of it.',
              ),
          },
          'must have os, arch, runtimes, env, system or facts',
        )
        .optional()
        .describe('What this machine must be like.'),
      required: names('variables')
        .optional()
        .describe('Variables that must be set to something; patterns such as AWS_* need one match.'),
      forbidden: names('variables').optional().describe('Variables that must not be set; patterns allowed.'),
    },
    'must be a mapping',
  )
  .meta({ title: 'envsnap policy (.envsnap.yaml)' }) satisfies z.ZodType<Policy>;
