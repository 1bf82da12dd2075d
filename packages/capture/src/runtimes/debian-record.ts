// The version of a program in dpkg's records: for programs that have the version of their package and were not changed since its
// installation. Nothing is started.

import type { CapturedMachine } from '../system/machine.ts';
import type { VersionFromFiles } from './tool.ts';

const folder = '/var/lib/dpkg';

/**
 * The upstream version of `packageName`, if that package put the file at `realPath` there and nothing has replaced it since;
 * undefined if there is any doubt; then the program itself is started.
 */
export async function versionFromDpkg(
  machine: CapturedMachine,
  packageName: string,
  realPath: string,
): Promise<string | undefined> {
  if (machine.platform !== 'linux') return undefined;
  const { files } = machine;
  const list = `${folder}/info/${packageName}.list`;
  const [listed, program] = await Promise.all([files.status(list), files.status(realPath)]);
  // dpkg writes the list when it unpacks, and files keep the time at which the package was built.
  if (!listed || !program || program.modifiedMs > listed.modifiedMs) return undefined;
  const paths = linesOf(await files.text(list));
  if (!namesOf(realPath).some((path) => paths.includes(path))) return undefined;
  if (linesOf(await files.text(`${folder}/diversions`)).includes(realPath)) return undefined;
  const status = `${folder}/status`;
  const paragraph = await machine.fileCache.of(`dpkg of ${packageName}`, status, async () =>
    paragraphOf(await files.text(status), packageName),
  );
  if (!paragraph || !/^Status: \S+ ok (?:installed|unpacked|half-configured|triggers-\w+)$/m.test(paragraph))
    return undefined;
  return upstreamVersion(/^Version: (\S+)$/m.exec(paragraph)?.[1] ?? '');
}

function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n');
}

/** `/usr/bin/x`, and `/bin/x`, which is the same where `/bin` is a link. */
function namesOf(realPath: string): readonly string[] {
  return realPath.startsWith('/usr/') ? [realPath, realPath.slice('/usr'.length)] : [realPath];
}

function paragraphOf(text: string | undefined, packageName: string): string | undefined {
  if (text === undefined) return undefined;
  const line = `Package: ${packageName}\n`;
  // The text is not copied to prepend a line break, because every tool searches it.
  const start = text.startsWith(line) ? 0 : text.indexOf(`\n${line}`);
  if (start < 0) return undefined;
  const end = text.indexOf('\n\n', start);
  // If only the beginning of a file was read, its last line may be cut.
  if (end < 0 && !text.endsWith('\n')) return undefined;
  return text.slice(start, end < 0 ? undefined : end);
}

/**
 * `1:2.39.5-0+deb12u3` is 2.39.5: without epoch and revision (deb-version(7)). A version with a suffix (`1.20+really1.19`,
 * `13~rc1`, `15-20250213`) is not what the program prints.
 */
export function upstreamVersion(version: string): string | undefined {
  return /^(?:\d+:)?(\d+(?:\.\d+)+(?:p\d+)?)(?:-[^-]+)?$/.exec(version)?.[1];
}

/**
 * Debian's wrapper starts the client of the cluster that a user's files choose; if only one client is installed, it is that one.
 */
export const onlyPostgresqlClient: VersionFromFiles = async ({ machine, realPath }) => {
  if (realPath !== '/usr/share/postgresql-common/pg_wrapper') return undefined;
  const folder = '/usr/lib/postgresql';
  const clients: string[] = [];
  for (const major of await machine.files.names(folder))
    if (await machine.files.isFile(`${folder}/${major}/bin/psql`)) clients.push(major);
  const [only, ...others] = clients;
  if (only === undefined || others.length > 0) return undefined;
  return versionFromDpkg(machine, `postgresql-client-${only}`, `${folder}/${only}/bin/psql`);
};
