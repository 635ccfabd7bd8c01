import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a run that holds its nodes' logs. */
export function nodeLogsFolder(folder: string): string {
  return join(folder, 'nodes');
}

/** The log of one node of a run. Characters that are not portable in file names are written as `%` and their code. */
export function nodeLogPath(folder: string, node: string): string {
  const name = node.replaceAll(/[^\w.-]/gu, (letter) => `%${letter.codePointAt(0)?.toString(16) ?? ''}`);
  return join(nodeLogsFolder(folder), `${name}.log`);
}

/** Logs open for writing. */
export interface NodeLogs {
  add(node: string, line: string): void;
  /** Resolves when all that was added has been written. */
  close(): Promise<void>;
}

/** Writes the logs of a run's nodes one file at a time, to limit the number of open files. */
export function nodeLogs(folder: string): NodeLogs {
  let waiting = new Map<string, string>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      for (const [node, text] of batch) await write(nodeLogPath(folder, node), text);
    }
    writing = undefined;
  }

  return {
    add(node, line) {
      waiting.set(node, `${waiting.get(node) ?? ''}${line}\n`);
      writing ??= writeAll();
    },
    close: async () => writing,
  };
}

/** A log that cannot be written does not stop the run. A journal that cannot be written does, and it is on the same disk. */
async function write(path: string, text: string): Promise<void> {
  await appendFile(path, text, { mode: 0o600 }).catch(() => undefined);
}
