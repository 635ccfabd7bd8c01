import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfAborted } from '../waiting.ts';
import { keptOutput } from './kept-output.ts';
import { unrunnable } from './script-errors.ts';
import type { Script, ScriptResult } from './scripts.ts';

const OUTPUT_BYTES = 64 * 1024;
/** Programs that a script leaves behind may hold its output open for ever. */
const DRAIN_MS = 500;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A script that was just started. */
export interface StartedScript {
  readonly script: Script;
  readonly child: ChildProcess;
  /** Ends it and everything it has started, by force. */
  readonly endTree: () => Promise<void>;
}

/** Waits for a script's end, which it brings about at the script's limit or when the signal fires. */
export async function awaitScript(
  { script, child, endTree }: StartedScript,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const output = keptOutput(OUTPUT_BYTES);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => output.add(bytes));
  const watch = watchLimits(script, endTree, signal);
  try {
    const exitCode = await endOf(script, child);
    const timedOut = await watch.settled();
    throwIfAborted(`running the script "${script.path}"`, signal);
    return { exitCode, output: output.text(), timedOut };
  } finally {
    watch.close();
  }
}

/** Whatever comes first ends the script. */
function watchLimits({ limitMs }: Script, endTree: () => Promise<void>, signal: AbortSignal) {
  let timedOut = false;
  let ending: Promise<void> | undefined;
  const end = (): void => void (ending ??= endTree());
  const timer = setTimeout(
    () => {
      timedOut = true;
      end();
    },
    Math.min(limitMs, LONGEST_TIMER_MS),
  );
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return {
    /** Whether it took too long, once all that it has started is gone. */
    async settled(): Promise<boolean> {
      await ending;
      return timedOut;
    },
    close(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    },
  };
}

async function endOf({ path }: Script, child: ChildProcess): Promise<number> {
  const closed = once(child, 'close').catch(() => undefined);
  try {
    await once(child, 'exit');
  } catch (cause) {
    throw unrunnable(path, 'its interpreter could not be started', 'Look whether the system still has it.', cause);
  }
  await Promise.race([closed, sleep(DRAIN_MS)]);
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}
