// From a snapshot back to an environment: every export format by its name.

import { jsonText } from '@envsnap/shared/text/visible';
import type { ComparableEnvironment } from '../model/model.ts';
import { exportDevcontainer, exportDockerfile } from './container-files.ts';
import { exportCycloneDx } from './cyclonedx.ts';
import { exportDotenv } from './dotenv.ts';
import type { ExportFormat } from './export-formats.ts';
import { exportPowershell } from './powershell.ts';
import { exportShell } from './shell.ts';
import { exportMise, exportNvmrc, exportToolVersions } from './tool-files.ts';

export interface ExportOptions {
  readonly all?: boolean;
  readonly toolVersion: string;
}

/** Renders a snapshot in a format. Throws `ExportError` where the snapshot has nothing for it. */
export function exportSnapshot(
  environment: ComparableEnvironment,
  format: ExportFormat,
  options: ExportOptions,
): string {
  const all = options.all ?? false;
  switch (format) {
    case 'dotenv':
      return exportDotenv(environment, all);
    case 'powershell':
      return exportPowershell(environment, options.all);
    case 'shell':
      return exportShell(environment, all);
    case 'mise':
      return exportMise(environment, all);
    case 'tool-versions':
      return exportToolVersions(environment, all);
    case 'nvmrc':
      return exportNvmrc(environment);
    case 'devcontainer':
      return exportDevcontainer(environment, all);
    case 'dockerfile':
      return exportDockerfile(environment, all);
    case 'cyclonedx':
      return exportCycloneDx(environment, options.toolVersion);
    case 'json':
      return `${jsonText(environment)}\n`;
  }
}
