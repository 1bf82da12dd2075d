// Development containers: the image and the features of devcontainer.json, and what its lock file resolved them to.

import { entriesOf, field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import type { PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsoncObject, parseJsonObject } from '../../text/json.ts';
import { readImage } from './images.ts';

/** devcontainer.json: its image with the tag, and its features with theirs; folders of the project have no version. */
export function parseDevcontainer(text: string, list: PackageList): void {
  const settings = parseJsoncObject(text);
  const image = readImage(textField(settings, 'image') ?? '');
  if (image) list.add(image.name, image.version);
  for (const [reference] of entriesOf(settings, 'features')) {
    if (/^\.{0,2}\//.test(reference) || /^https?:/.test(reference)) continue;
    const feature = readImage(reference);
    if (feature) list.add(feature.name, feature.version, 'feature');
  }
}

/** devcontainer-lock.json: features with the version and the digest that they resolved to. */
export function parseDevcontainerLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!isPlainObject(field(lock, 'features'))) throw new ParseProblem('it has no `features`');
  for (const [reference, entry] of entriesOf(lock, 'features')) {
    const name = readImage(reference)?.name ?? reference;
    const digest = textField(entry, 'integrity') ?? textField(entry, 'resolved')?.split('@')[1];
    const version = textField(entry, 'version') ?? readImage(reference)?.version ?? '';
    list.add(name, digest ? `${version}@${digest}` : version);
  }
}
