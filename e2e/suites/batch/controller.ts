import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatchEvent } from '@fenestra/fleet';
import { parseJson } from '@fenestra/kernel';
import { stringify } from 'yaml';
import { CHECKOUT } from '../../support/beds/checkout.ts';

/** What `keadm batch` answered. */
export interface BatchAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** What it printed with `--output json`. */
  readonly events: readonly BatchEvent[];
}

/** A `keadm batch` that runs. */
export interface RunningBatch {
  readonly pid: number;
  readonly ended: Promise<BatchAnswer>;
  /** Resolves with the first event that fits; rejects if it ends without. */
  until(fits: (event: BatchEvent) => boolean): Promise<BatchEvent>;
  signal(name: NodeJS.Signals): void;
}

/** How `keadm batch` is called. */
export interface CallOptions {
  /** Before keadm, such as `unshare`. */
  readonly wrapper?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The operator's machine: its own home folder, our executable, and the runs it keeps. */
export interface Controller {
  readonly folder: string;
  readonly runs: string;
  readonly knownHosts: string;
  /** Writes a batch file and returns its path. */
  write(name: string, content: object): Promise<string>;
  /** `keadm batch …` until it ends. */
  batch(args: readonly string[], options?: CallOptions): Promise<BatchAnswer>;
  /** The same with `--output json`, while it runs. */
  start(args: readonly string[], options?: CallOptions): RunningBatch;
  close(): Promise<void>;
}

const KEADM = join(CHECKOUT, 'dist', 'linux-x64', 'keadm');

/** Makes an operator's machine. */
export async function openController(env: Readonly<Record<string, string>> = {}): Promise<Controller> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-batch-'));
  const runs = join(folder, 'runs');
  const knownHosts = join(folder, 'known_hosts');
  await mkdir(join(folder, '.ssh'), { mode: 0o700 });
  await writeFile(knownHosts, '');
  const own = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_STATE_HOME: join(folder, 'state'), ...env };
  const start = (args: readonly string[], options: CallOptions = {}): RunningBatch =>
    startKeadm(['batch', ...args], { ...options, env: { ...own, ...options.env } });
  return {
    folder,
    runs,
    knownHosts,
    async write(name, content) {
      const path = join(folder, name);
      await writeFile(path, stringify(content), { mode: 0o600 });
      return path;
    },
    batch: async (args, options) => start(args, options).ended,
    start: (args, options) => start([...args, '--output', 'json'], options),
    close: async () => rm(folder, { recursive: true, force: true }),
  };
}

/** The state that each node was last reported to be in. */
export function statesIn({ events }: Pick<BatchAnswer, 'events'>): Readonly<Record<string, string>> {
  return Object.fromEntries(events.flatMap((event) => (event.type === 'node' ? [[event.node, event.state]] : [])));
}

/** The code of the failure that each node was last reported to have. */
export function failuresIn({ events }: Pick<BatchAnswer, 'events'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    events.flatMap((event) =>
      event.type === 'node' && event.failure !== undefined ? [[event.node, event.failure.code]] : [],
    ),
  );
}

/** What went wrong, in words: nothing after a run that went well. */
export function problemsIn({ events, exitCode, stderr }: BatchAnswer): readonly string[] {
  if (exitCode === 0) return [];
  const failures = events.flatMap((event) =>
    event.type === 'node' && event.failure !== undefined
      ? [`${event.node} ${event.state}: ${event.failure.message}`]
      : [],
  );
  return [`exit code ${exitCode}`, ...failures, stderr];
}

/** How many attempts were reported a node in a state. */
export function attemptsIn({ events }: Pick<BatchAnswer, 'events'>, node: string, state: string): number {
  const reported = events.flatMap((event) =>
    event.type === 'node' && event.node === node && event.state === state ? [event.attempt ?? 0] : [],
  );
  return Math.max(0, ...reported);
}

function startKeadm(args: readonly string[], { wrapper = [], env = {} }: CallOptions): RunningBatch {
  const began = performance.now();
  const [program = '', ...words] = [...wrapper, KEADM, ...args];
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const events: BatchEvent[] = [];
  const waiting = new Set<(event: BatchEvent) => void>();
  let stdout = '';
  let stderr = '';
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const event of lines.flatMap(eventIn)) {
      events.push(event);
      for (const hear of waiting) hear(event);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(() => ({
    exitCode: child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'],
    stdout,
    stderr,
    seconds: (performance.now() - began) / 1000,
    events,
  }));
  return {
    pid: child.pid ?? 0,
    ended,
    async until(fits) {
      const found = events.find(fits);
      if (found !== undefined) return found;
      const { promise, resolve } = Promise.withResolvers<BatchEvent>();
      waiting.add((event) => (fits(event) ? resolve(event) : undefined));
      const over = ended.then((answer) => {
        throw new Error(`keadm ended with ${answer.exitCode} first: ${answer.stdout.slice(-2000)}${answer.stderr}`);
      });
      return Promise.race([promise, over]);
    },
    signal: (name) => void child.kill(name),
  };
}

function eventIn(line: string): readonly BatchEvent[] {
  const event = BatchEvent.safeParse(parseJson(line));
  return event.success ? [event.data] : [];
}
