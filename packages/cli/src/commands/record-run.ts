// envsnap record-run: the process beside envsnap run. Its standard input says what runs, and at the end how that ended.

import { createInterface } from 'node:readline';
import { jsonText } from '@envsnap/shared/text/visible';
import { boolean } from '@oclif/core/flags';
import { recordingDone } from '../../bin/pending-recordings.js';
import { BaseCommand } from '../base-command.ts';
import { connectionWords } from '../connection/settings.ts';
import { describeError } from '../errors/error-report.ts';
import { renderRefusal, renderRun, runToDocument } from '../render/runs/recorded-run.ts';
import { type RunEnd, recordRun } from '../runs/record-run.ts';
import { screenOf } from '../terminal/terminal.ts';

/** What bin/run-command.js sends first; a {@link RunEnd} follows. */
interface Request {
  readonly flags: {
    readonly of?: string;
    readonly junit?: readonly string[];
    readonly ctrf?: readonly string[];
    readonly 'machine-name'?: string;
    readonly 'base-url'?: string;
    readonly profile?: string;
    readonly json?: boolean;
  };
  readonly command: readonly string[];
  readonly startedAt: number;
}

export default class RecordRun extends BaseCommand {
  static override summary = 'Record a run, for envsnap run.';
  static override hidden = true;
  static override flags = { 'at-once': boolean({ summary: 'Wait for no other recording.' }) };

  override async run(): Promise<void> {
    await this.parse(RecordRun);
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const next = async () => {
      const { value } = await lines.next();
      return value === undefined ? undefined : (JSON.parse(value) as unknown);
    };
    const request = (await next()) as Request | undefined;
    if (!request) return;
    const end = next() as Promise<RunEnd | undefined>;
    const text = await this.record(request, end).finally(recordingDone);
    if ((await end)?.answers) this.printAsIs(text);
  }

  /** Records the run, and returns what there is to say about it. */
  private async record({ flags, command, startedAt }: Request, end: Promise<RunEnd | undefined>) {
    const { of, junit = [], ctrf = [], 'machine-name': machineName, json } = flags;
    try {
      const connection = connectionWords(flags);
      const start = { of, machineName, junit, ctrf, command, startedAt, connection };
      const store = await this.snapshotStore(flags);
      const recorded = await recordRun(start, end, store, ({ answers }) => {
        // Nobody listens otherwise.
        if (answers || junit.length + ctrf.length > 0) process.stdout.write('\n');
      });
      if (!recorded) return '';
      if (json) return jsonText(runToDocument(recorded));
      return renderRun(recorded, screenOf(recorded.end.screen ?? {}));
    } catch (error) {
      const report = describeError(error);
      return json ? jsonText({ error: report }) : renderRefusal(report, screenOf((await end)?.screen ?? {}));
    }
  }
}
