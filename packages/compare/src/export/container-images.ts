// The official image of each runtime, and how to copy a runtime from its image into another.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import images from './container-images.json' with { type: 'json' };

interface ImageBase {
  readonly distribution: string;
  readonly suffix: string;
  readonly exact: boolean;
}

const debianNames: Record<string, string> = { 10: 'buster', 11: 'bullseye', 12: 'bookworm', 13: 'trixie' };

export function imageBase(environment: ComparableEnvironment): ImageBase {
  const facts = environmentOf(environment).system;
  const distribution = (facts.distribution ?? facts.distro ?? '').toLowerCase();
  const debian = debianNames[/debian\D{0,40}(\d+)/.exec(distribution)?.[1] ?? ''];
  if (debian) return { distribution: `debian:${debian}`, suffix: `-${debian}`, exact: true };
  const alpine = /alpine\D{0,40}(\d+\.\d+)/.exec(distribution)?.[1];
  if (alpine) return { distribution: `alpine:${alpine}`, suffix: `-alpine${alpine}`, exact: true };
  if ((facts.libc ?? '').startsWith('musl'))
    return { distribution: 'alpine:latest', suffix: '-alpine', exact: false };
  return { distribution: 'debian:bookworm', suffix: '-bookworm', exact: false };
}

export interface RuntimeImage {
  readonly runtime: string;
  /** The paths to copy from its image, to the same place or to the one after the space; absent if it must be the base. */
  readonly copied?: readonly string[];
  readonly after?: readonly string[];
}

/** The image of a runtime in a version (or an argument with the version), on the given base if there are several. */
export function imageOf({ runtime }: RuntimeImage, version: string, base: ImageBase): string {
  const isAlpine = base.suffix.startsWith('-alpine');
  const parts: Record<string, string> = {
    version,
    base: base.suffix,
    debian: isAlpine ? '' : base.suffix,
    alpine: isAlpine ? '-alpine' : '',
  };
  return (toolRow(runtime)?.image ?? runtime).replace(
    /\{(\w+)\}/g,
    (whole, name: string) => parts[name] ?? whole,
  );
}

/** In the order of preference as the base: first those that cannot be copied out of their image. */
export const runtimeImages: readonly RuntimeImage[] = images;

/** The instructions that copy a runtime from the stage with its name. */
export function copyInstructions({ runtime, copied = [], after = [] }: RuntimeImage): string[] {
  return [
    ...copied.map((place) => `COPY --from=${runtime} ${place.includes(' ') ? place : `${place} ${place}`}`),
    ...after,
  ];
}

export function imageTag(runtime: string, version: string): string {
  const tag = runtime === 'java' ? `${version.replace('+', '_')}-jdk` : version;
  return tag.replace(/[^A-Za-z0-9_.-]/g, '_');
}
