import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfAborted } from '../waiting.ts';
import { unrunnable, type Script, type ScriptResult } from './scripts.ts';

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
    throw unrunnable(path, 'its interpreter could not be started', 'Check whether it is installed.', cause);
  }
  await Promise.race([closed, sleep(DRAIN_MS)]);
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}

/** Output on its way in, of which at most a certain size is kept. */
export interface KeptOutput {
  add(bytes: Buffer): void;
  /** What is kept, and before it, if so, that there was more. */
  text(): string;
}

/** Keeps the last of it: that is where a failure is reported. */
export function keptOutput(maxBytes: number): KeptOutput {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let droppedBytes = 0;
  const shrink = (): void => {
    const whole = Buffer.concat(kept);
    const tail = whole.subarray(Math.max(0, whole.length - maxBytes));
    droppedBytes += whole.length - tail.length;
    kept = [tail];
    keptBytes = tail.length;
  };
  return {
    add(bytes) {
      kept.push(bytes);
      keptBytes += bytes.length;
      // Not at every byte too many, or much output in small pieces would be copied again and again.
      if (keptBytes > 2 * maxBytes) shrink();
    },
    text() {
      shrink();
      const text = Buffer.concat(kept).toString('utf8');
      return droppedBytes === 0 ? text : `(${droppedBytes} bytes before this were left out)\n${text}`;
    },
  };
}
