// Which official image stands for each runtime, and how a runtime is taken out of its image into another.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';

export interface ImageBase {
  readonly distribution: string;
  /** What follows a version in the tags of official images: `-bookworm`, `-alpine3.20`. */
  readonly suffix: string;
  /** True when it is the distribution of the snapshot, false when it stands in for another. */
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
  /** Instructions that take it out of the stage of that name; absent where it must be the base itself. */
  readonly copy?: (stage: string) => readonly string[];
}

/** The image of a runtime in a version (or an argument that holds it), on the base where the image comes in several. */
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

/** In the order in which they are preferred as the base: first those that cannot be copied out of their image. */
export const runtimeImages: readonly RuntimeImage[] = [
  { runtime: 'python' },
  { runtime: 'ruby' },
  { runtime: 'php' },
  {
    runtime: 'perl',
  },
  {
    runtime: 'node',
    copy: (stage) => [
      `COPY --from=${stage} /usr/local/bin/node /usr/local/bin/node`,
      `COPY --from=${stage} /usr/local/lib/node_modules /usr/local/lib/node_modules`,
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\',
      ' && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx',
    ],
  },
  {
    runtime: 'go',
    copy: (stage) => [
      `COPY --from=${stage} /usr/local/go /usr/local/go`,
      'ENV PATH="/usr/local/go/bin:$PATH"',
    ],
  },
  {
    runtime: 'rustc',
    copy: (stage) => [
      `COPY --from=${stage} /usr/local/cargo /usr/local/cargo`,
      `COPY --from=${stage} /usr/local/rustup /usr/local/rustup`,
      'ENV RUSTUP_HOME="/usr/local/rustup" CARGO_HOME="/usr/local/cargo" PATH="/usr/local/cargo/bin:$PATH"',
    ],
  },
  {
    runtime: 'java',
    copy: (stage) => [
      `COPY --from=${stage} /opt/java/openjdk /opt/java/openjdk`,
      'ENV JAVA_HOME="/opt/java/openjdk" PATH="/opt/java/openjdk/bin:$PATH"',
    ],
  },
  {
    runtime: 'deno',
    copy: (stage) => [`COPY --from=${stage} /deno /usr/local/bin/deno`],
  },
  {
    runtime: 'bun',
    copy: (stage) => [`COPY --from=${stage} /usr/local/bin/bun /usr/local/bin/bun`],
  },
];

/** The version as the image's tag spells it: `17.0.9+9` is tagged `17.0.9_9`. */
export function imageTag(runtime: string, version: string): string {
  const tag = runtime === 'java' ? `${version.replace('+', '_')}-jdk` : version;
  return tag.replace(/[^A-Za-z0-9_.-]/g, '_');
}
