// Which tools trust a file of certificates of their own: variables that name one are captured as variables.

import { readGitSettings } from '../project/git/config.ts';
import { at, readYaml, textOf } from './config-files.ts';
import { configPlaces } from './config-places.ts';
import { contentLines, type FactSources } from './fact-reader.ts';
import { lastValue, parseIni } from './ini.ts';
import { readCargo } from './tools/build.ts';
import { systemBundles } from './trust.ts';

/** `npm ~/corp.pem`, one for each tool that has one; the nearest file wins. */
export async function readToolBundles(sources: FactSources): Promise<string[]> {
  const { machine, folder } = sources;
  const places = configPlaces(sources);
  const found = new Map<string, string>();
  const add = (tool: string, value: string | undefined): void => {
    if (value) found.set(tool, systemBundles.includes(value) ? 'system' : value);
  };

  const git = await readGitSettings(machine, folder);
  add('git', git.get('http.sslcainfo')?.at(-1) ?? git.get('http.sslcapath')?.at(-1));
  for (const file of await places.npm())
    add('npm', lastValue(parseIni(await machine.files.text(file)), 'cafile'));
  for (const file of places.pip())
    add('pip', lastValue(parseIni(await machine.files.text(file)), 'cert', 'global'));
  for (const settings of await readCargo(sources)) add('cargo', textOf(at(settings, 'http', 'cainfo')));
  const condarc = await readYaml(machine.files, places.home('.condarc'));
  const verify = textOf(condarc.get('ssl_verify'));
  if (verify && /[\\/]/.test(verify)) add('conda', verify);
  for (const line of contentLines(await machine.files.text(places.home('.curlrc'))))
    add('curl', /^(?:--)?(?:cacert|capath)(?:\s*[=:]\s*|\s+)"?([^"\s]+)/.exec(line)?.[1]);
  return [...found].map(([tool, path]) => `${tool} ${path}`);
}
