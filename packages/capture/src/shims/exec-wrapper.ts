// Scripts that do nothing but start another program with the same arguments.

import type { MachineFiles } from '../system/machine-files.ts';

/** Longest script that is looked into. */
const maxBytes = 1024;

/** The program that a script of one `exec /path "$@"` line starts; undefined for any other file. */
export async function execWrapperTarget(files: MachineFiles, file: string): Promise<string | undefined> {
  const status = await files.status(file);
  if (!status || status.sizeBytes > maxBytes || status.sizeBytes < 10) return undefined;
  const text = await files.text(file);
  if (!text?.startsWith('#!/bin/') && !text?.startsWith('#!/usr/bin/')) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const commands = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const target =
    commands.length === 1 ? /^exec "?(\/[\w./+-]+)"? "\$@"$/.exec(commands[0] ?? '')?.[1] : undefined;
  const targetStatus = target === undefined ? undefined : await files.status(target);
  return targetStatus?.executable ? target : undefined;
}
