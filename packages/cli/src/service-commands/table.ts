// The commands that are one call of the service, by their ids. All are in one file of the bundle.

import type { Command } from '@oclif/core/command';
import { fileCommands, shareCommands } from './files-and-shares.ts';
import { keyCommands, teamCommands } from './keys-and-members.ts';
import { projectCommands, usageCommands } from './projects.ts';
import { webhookCommands } from './webhooks.ts';

export const serviceCommands: Readonly<Record<string, Command.Class>> = {
  ...keyCommands,
  ...teamCommands,
  ...projectCommands,
  ...usageCommands,
  ...webhookCommands,
  ...fileCommands,
  ...shareCommands,
};
