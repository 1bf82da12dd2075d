// From a snapshot back to an environment: every export format by its name.

import { jsonText } from '@envsnap/shared/text/visible';
import type { ComparableEnvironment } from '../model/model.ts';
import { exportDevcontainer, exportDockerfile } from './container-files.ts';
import { exportCycloneDx } from './cyclonedx.ts';
import type { ExportFormat } from './export-formats.ts';
import { exportMise, exportNvmrc, exportToolVersions } from './tool-files.ts';
import { exportDotenv, exportPowershell, exportShell } from './variable-files.ts';

export interface ExportOptions {
  readonly all?: boolean;
  readonly toolVersion: string;
}

/** Renders a snapshot in a format. Throws `ExportError` if the snapshot has nothing to export in it. */
export function exportSnapshot(
  environment: ComparableEnvironment,
  format: ExportFormat,
  options: ExportOptions,
): string {
  const { all = false, toolVersion } = options;
  if (format === 'json') return `${jsonText(environment)}\n`;
  return format === 'cyclonedx'
    ? exportCycloneDx(environment, toolVersion)
    : renderers[format](environment, all);
}

const renderers = {
  dotenv: exportDotenv,
  powershell: exportPowershell,
  shell: exportShell,
  mise: exportMise,
  'tool-versions': exportToolVersions,
  nvmrc: exportNvmrc,
  devcontainer: exportDevcontainer,
  dockerfile: exportDockerfile,
};
