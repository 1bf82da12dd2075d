// The commands that are declared as rows, by their ids. Most are one call of the service. All are in one file of the bundle.

import type { Command } from '@oclif/core/command';
import { auditCommand } from './audit.ts';
import { fileCommands, openCommand, shareCommands } from './files-and-shares.ts';
import { keyCommands, teamCommands, whoamiCommand } from './keys-and-members.ts';
import { profileCommands } from './profiles.ts';
import { projectCommands, statusCommand } from './projects.ts';
import { usageCommands } from './usage.ts';
import { webhookCommands } from './webhooks.ts';

export const serviceCommands: Readonly<Record<string, Command.Class>> = {
  ...auditCommand,
  ...keyCommands,
  ...teamCommands,
  ...whoamiCommand,
  ...profileCommands,
  ...projectCommands,
  ...statusCommand,
  ...usageCommands,
  ...webhookCommands,
  ...fileCommands,
  ...shareCommands,
  ...openCommand,
};
