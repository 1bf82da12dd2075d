// Named sets of rules for what counts: `--preset ci`, `preset: strict`.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { factRowOf } from '../environment/kind.ts';
import type { Entry } from '../model/model.ts';
import { defaultFailRules, type FailRule, parseFailOn } from './fail-on.ts';
import { ignoreTest } from './ignore-patterns.ts';

/** `ci`: a person's machine against a CI runner. `strict`: every difference counts. `none`: the default, even with one CI run. */
export const presetNames = ['ci', 'strict', 'none'] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * How any person's machine differs from any runner, besides context. Versions, packages, the project's variables, registries, and
 * git settings that change files still count.
 */
const tolerated = ignoreTest([
  'os',
  'arch',
  'system',
  'facts:{cpu,memory,limits,kernel,process,devices,docker,fonts,fs,folder,gpu,home,icu,net,path,terminal,time,locale,node,openssl,windows}.*',
  'facts:git.{core.fileMode,core.ignoreCase,core.precomposeUnicode,core.symlinks,safe.*,commit.*,tag.*,init.*,pull.*}',
  'facts:program.*',
  'env:{CI,TZ,LANG,LANGUAGE,LC_*,TMPDIR,TMP,TEMP,DEBIAN_FRONTEND,FORCE_COLOR,NO_COLOR,CLICOLOR,CLICOLOR_FORCE,PYTHONUNBUFFERED,HUSKY}',
  'env:{http,https,no,all,HTTP,HTTPS,NO,ALL}_{proxy,PROXY}',
  'paths:PATH',
]);

const noSpace = ignoreTest(['facts:fs.{full,readOnly,temporaryFull,temporaryWritable}']);

function toleratedInCi(entry: Entry): boolean {
  const counts = factRowOf(entry.section, entry.key)?.counts;
  const isNoneAtAll = typeof counts === 'object' && counts.when === 'none on one side';
  if (isNoneAtAll || noSpace(entry)) return false;
  return tolerated(entry) || (entry.file !== undefined && packageDatabaseOf(entry.file) !== undefined);
}

export function presetRules(name: PresetName): readonly FailRule[] {
  if (name === 'none') return defaultFailRules;
  if (name === 'strict') return parseFailOn('all').map((rule) => ({ ...rule, text: 'preset:strict' }));
  return defaultFailRules.map((rule) => ({ ...rule, text: 'preset:ci', tolerates: toleratedInCi }));
}
