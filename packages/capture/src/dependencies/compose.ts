// Docker Compose: images of services.

import type { ParseContext } from './format.ts';
import { createPackageList, type PackageList } from './package-list.ts';
import { mapEntries, parseYamlMap, textKey } from './yaml.ts';

/** A compose file: images with their tag, digest or both; no tag means `latest`. Services that are built have none. */
export function parseCompose(text: string, context: ParseContext): PackageList {
  const file = parseYamlMap(text);
  const list = createPackageList();
  for (const [service, definition] of mapEntries(file, 'services')) {
    const image = textKey(definition, 'image');
    if (image === undefined) continue;
    const reference = readImage(image);
    if (reference) list.add(reference.name, reference.version);
    else context.warn(`the image of its service ${service.slice(0, 100)} has no name`);
  }
  return list;
}

/** `host:port/name:tag@digest`; variables (`${TAG:-1}`) stay as they are written. */
function readImage(image: string): { name: string; version: string } | undefined {
  const [reference = '', digest] = image.split('@', 2);
  // A colon inside `${…}` or before the last slash separates no tag.
  const bare = reference.replace(/\$\{[^{}]*\}/g, (variable) => '$'.repeat(variable.length));
  const colon = bare.lastIndexOf(':');
  const hasTag = colon > bare.lastIndexOf('/');
  const name = hasTag ? reference.slice(0, colon) : reference;
  const tag = hasTag ? reference.slice(colon + 1) : digest === undefined ? 'latest' : '';
  const version = digest === undefined ? tag : `${tag}@${digest}`;
  return name === '' ? undefined : { name, version };
}
