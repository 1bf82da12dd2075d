// Samples of dotenv files, which a project commits instead of the files themselves.

import { quotedArgument } from './shell-quote.ts';

const sampleName = /(^|\/)\.env\.(?:example|sample|dist|template)$/;

/** The file that a sample is for: `web/.env` for `web/.env.example`; undefined for other files. */
export function fileOfSample(path: string): string | undefined {
  return sampleName.test(path) ? path.replace(sampleName, '$1.env') : undefined;
}

/** The command that copies a sample to a file; undefined if shells would read the names differently. */
export function copySample(sample: string, file: string): string | undefined {
  const [from, to] = [quotedArgument(sample), quotedArgument(file)];
  return from && to && `cp ${from} ${to}`;
}
