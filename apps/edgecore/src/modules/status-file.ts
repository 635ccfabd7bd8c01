import { join } from 'node:path';
import { AGENT_STATUS_FILE, type AgentStatus } from '@fenestra/contracts';
import type { FileStore } from '@fenestra/platform';

/** The file in which the agent says how it is. */
export interface StatusFile {
  /** Puts the present state on disk, if it differs from what is there. */
  publish(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes what `describe` returns. Calls that come while a write is under way share the next one. */
export function statusFile(folder: string, files: FileStore, describe: () => AgentStatus): StatusFile {
  const path = join(folder, AGENT_STATUS_FILE);
  let written = '';
  let removed = false;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    const text = `${JSON.stringify(describe(), undefined, 2)}\n`;
    if (removed || text === written) return;
    await files.replace(path, text);
    written = text;
  };
  const begin = async (): Promise<void> => {
    next = undefined;
    running = write().finally(() => (running = undefined));
    return running;
  };
  return {
    async publish() {
      if (running === undefined) return begin();
      next ??= running.catch(() => undefined).then(begin);
      return next;
    },
    async remove() {
      removed = true;
      await running?.catch(() => undefined);
      await files.removeTree(path, folder, new AbortController().signal);
    },
  };
}
