// The metadata of a snapshot as captures write it. The service stores any object, so this describes the metadata and never checks
// it: readers ignore a field of another shape (packages/compare/src/environment).

import * as z from 'zod';

const texts = z.array(z.string()).readonly();
const textMap = z.record(z.string(), z.string()).readonly();
const byFile = <T extends z.ZodType>(value: T) => z.record(z.string(), value).readonly();
const filesByKind = z.object({ count: z.number().int(), files: textMap });

const warning = z
  .object({
    code: z.string(),
    message: z.string(),
    file: z.string().optional(),
    reason: z.string().optional(),
    line: z.number().int().optional(),
    column: z.number().int().optional(),
  })
  .readonly();

export const unknownEntry = z
  .object({
    section: z.enum(['system', 'facts', 'runtimes', 'toolchain', 'dependencies', 'installed', 'env', 'git']),
    key: z
      .string()
      .describe('Name of the tool, fact or variable; for packages, the file whose packages are all unknown.'),
    reason: z
      .string()
      .describe('The reason, as the end of a sentence: "did not respond within 3 s and was stopped".'),
  })
  .readonly()
  .describe('Something that the capture could not read, so it is neither present nor absent.');

export const snapshotOutcome = z
  .object({
    result: z.enum(['passed', 'failed']),
    of: z.string().describe('Name of the run; runs with the same name are compared with each other.'),
    attempt: z.number().int().optional().describe('Number of the attempt at the same job, starting at 1.'),
    durationMs: z.number().optional(),
    command: texts.optional().describe('Words of the command, if the run is named after it.'),
    tests: z
      .object({
        passed: z.number().int(),
        skipped: z.number().int(),
        failed: texts,
        flaky: texts,
        failedMore: z.number().int().optional(),
        flakyMore: z.number().int().optional(),
        ran: z.object({ digest: z.string(), names: texts.optional() }).optional(),
      })
      .optional(),
  })
  .describe('Outcome of the run that the environment belongs to.');

/** Everything that captures of this release write. Captures of other releases may write more or less. */
const captured = z.object({
  capture: z
    .looseObject({
      toolVersion: z.string(),
      durationMs: z.number(),
      envValues: z.enum(['safe', 'all', 'none', 'omit']),
      warnings: z.array(warning).readonly(),
      reducedEnvironment: z
        .boolean()
        .optional()
        .describe('True if the capture was started with a reduced environment instead of the user’s.'),
      dotenv: z.boolean().optional().describe('False if dotenv files were left out.'),
      fingerprintKey: z.string().optional().describe('Id of the key that the fingerprints were made with.'),
      unknown: z.array(unknownEntry).readonly().optional().describe('What the capture could not read.'),
    })
    .optional()
    .describe('About the capture itself.'),
  checkout: z
    .object({
      changed: filesByKind,
      untracked: z.number().int().optional(),
      ignored: filesByKind.optional(),
      submodules: textMap.optional(),
      pointers: z.object({ count: z.number().int(), files: texts }).optional(),
      sparse: z.boolean().optional(),
      shallow: z.boolean().optional(),
      tags: z.boolean(),
      operation: z.string().optional(),
    })
    .optional()
    .describe('How the work tree differs from its commit.'),
  ci: z
    .object({
      provider: z.string(),
      job: z.string().optional(),
      image: z
        .object({ name: z.string(), version: z.string().optional(), digest: z.string().optional() })
        .readonly()
        .optional(),
      url: z.string().optional(),
    })
    .optional()
    .describe('The CI provider and job that the capture ran in, with the address of its page.'),
  contents: textMap
    .optional()
    .describe(
      'Marks of the contents of packages, by file: five characters for each package, in the order of their names, or `.....` if a package has no checksum. They show that the contents of the same version differ, but not how.',
    ),
  direct: byFile(texts).optional().describe('Packages that the project asks for directly, by file.'),
  drift: byFile(z.object({ requiredBy: byFile(texts), folders: textMap }).readonly())
    .optional()
    .describe('Which packages need those in `installed`, and where they are.'),
  facts: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), texts]))
    .readonly()
    .optional()
    .describe('Facts by name: https://github.com/envsnap/envsnap/blob/main/docs/reference/facts.md'),
  git: z
    .object({ commit: z.string().optional(), branch: z.string().optional(), dirty: z.boolean().optional() })
    .optional()
    .describe(
      'The git repository of the captured folder. `commit` is absent before the first commit, `branch` if HEAD is detached.',
    ),
  installed: byFile(textMap)
    .optional()
    .describe('Installed packages that differ from their lock file, by lock file. "" means missing.'),
  locale: z.string().optional(),
  notInstalled: texts.optional().describe('Lock files from which nothing is installed.'),
  outcome: z
    .union([snapshotOutcome, snapshotOutcome.shape.result])
    .optional()
    .describe('Captures of earlier releases have only the result.'),
  policy: z
    .object({ path: z.string(), text: z.string() })
    .optional()
    .describe(
      'The policy of the captured folder (`.envsnap.yaml`), at most 32 KiB. Comparisons of stored snapshots use the policy in B.',
    ),
  project: z
    .looseObject({
      ecosystems: texts,
      tools: texts,
      variables: textMap.describe(
        'Variables that the project mentions, each with the first file that mentions it.',
      ),
      root: z.string().optional(),
      folder: z.string().optional().describe('Path of the captured folder, relative to the root.'),
      outputs: textMap.optional(),
      above: textMap.optional(),
    })
    .optional()
    .describe('What the project asks for.'),
  shell: z.object({ name: z.string(), path: z.string(), version: z.string().optional() }).optional(),
  sources: byFile(textMap)
    .optional()
    .describe(
      'Sources of packages that are not from the usual registry, and patches, by file. `*` means all packages that are not named. A name that begins with `#` is a setting of the whole file.',
    ),
  system: z
    .looseObject({
      release: z.string().optional(),
      kernel: z.string().optional(),
      memoryTotalBytes: z.number().optional(),
    })
    .optional(),
  timezone: z.string().optional().describe('IANA name of the time zone.'),
  toolchain: byFile(
    z
      .object({
        present: z.string().optional(),
        declared: z
          .array(
            z
              .object({ source: z.string(), version: z.string(), satisfied: z.boolean().optional() })
              .readonly(),
          )
          .readonly(),
      })
      .readonly(),
  )
    .optional()
    .describe('Versions that the project declares, by tool.'),
  tools: byFile(
    z.object({ path: z.string(), manager: z.string().optional(), selectedBy: z.string().optional() }),
  )
    .optional()
    .describe('Where each tool of `runtimeVersions` is, and what installed or selected it.'),
  withoutDevelopment: texts
    .optional()
    .describe('Lock files from which everything except development packages is installed.'),
});
export type CapturedMetadata = z.output<typeof captured>;

export const snapshotMetadata = z
  .looseObject(captured.shape)
  .describe(
    'Metadata of a snapshot. The fields listed here are as `envsnap capture` and `@envsnap/capture` write them. Callers may store other values in them, and any other fields',
  );
export type SnapshotMetadata = z.output<typeof snapshotMetadata>;
