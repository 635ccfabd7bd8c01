import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { jsonLogger } from '@fenestra/platform';
import { type CommandResult, runCommand } from '../../support/beds/command.ts';
import { debianKubectl } from '../../support/machines/debian-kubectl.ts';

/** A running embedded API with Debian's kubectl to use it. */
export interface Cluster {
  /** The API that runs now. */
  kubelite(): Kubelite;
  /** A private folder for files of the test. */
  readonly folder: string;
  /** Runs kubectl until it ends, as the administrator or with another kubeconfig. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<CommandResult>;
  /** Runs kubectl, which has to succeed, and returns what it printed. */
  run(...args: readonly string[]): Promise<string>;
  /** Starts kubectl, which goes on until it is stopped. */
  follow(...args: readonly string[]): Following;
  /** Writes a manifest and returns its path. */
  manifest(name: string, content: string | object): Promise<string>;
  /** Lines the API logged as warnings or errors. */
  readonly complaints: readonly string[];
  /** Stops the API and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A kubectl that goes on. */
export interface Following {
  /** What it has said so far, errors included. */
  readonly printed: () => string;
  readonly stop: () => void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<unknown>;
}

/** How to run kubectl. */
export interface KubectlOptions {
  readonly kubeconfig?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the embedded API on a free port of the loopback, with its data in a new folder. */
export async function startCluster(signal: AbortSignal): Promise<Cluster> {
  const binary = await debianKubectl(signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-kubectl-'));
  const complaints: string[] = [];
  const log = jsonLogger(
    (line) => complaints.push(line),
    'warn',
    () => new Date(),
  );
  const adminConfig = join(folder, 'admin.yaml');
  const start = async (): Promise<Kubelite> => {
    const where = { folder: join(folder, 'data'), address: '127.0.0.1', port: 0 };
    const started = await startKubelite({ ...where, log, now: () => new Date() }, signal);
    await writeFile(adminConfig, started.adminKubeconfig, { mode: 0o600 });
    return started;
  };
  let kubelite = await start();
  const kubectl: Cluster['kubectl'] = async (args, options = {}) => {
    const { kubeconfig = adminConfig, timeoutMs = 30_000, env = {} } = options;
    // kubectl keeps what it has discovered in the home folder.
    const settings = {
      timeoutMs,
      env: { HOME: folder, KUBECONFIG: kubeconfig, ...env },
      label: `kubectl ${args.join(' ')}`,
    };
    return runCommand([binary, ...args], settings, signal);
  };
  return {
    kubelite: () => kubelite,
    folder,
    complaints,
    kubectl,
    follow: (...args) => follow(binary, args, { ...process.env, HOME: folder, KUBECONFIG: adminConfig }),
    run: async (...args) => succeed(args, await kubectl(args)),
    manifest: async (name, content) => writeManifest(join(folder, name), content),
    async restart() {
      await kubelite.close();
      kubelite = await start();
    },
    async stop() {
      await kubelite.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function follow(binary: string, args: readonly string[], env: NodeJS.ProcessEnv): Following {
  const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'exit').then(([exitCode]): unknown => exitCode);
  return { printed: () => text, stop: () => child.kill(), ended };
}

function succeed(args: readonly string[], result: CommandResult): string {
  if (result.exitCode === 0) return result.stdout;
  throw new Error(`kubectl ${args.join(' ')} ended with ${result.exitCode}: ${result.stdout}${result.stderr}`);
}

/** JSON is YAML, so objects need no other form. */
async function writeManifest(file: string, content: string | object): Promise<string> {
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
