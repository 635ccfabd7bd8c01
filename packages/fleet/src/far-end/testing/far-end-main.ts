import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FarEndJob, farEndLine } from '../messages.ts';
import {
  byteSource,
  fileDigest,
  followJob,
  holdJob,
  jobFolder,
  jobState,
  redact,
  startJob,
  stopJob,
} from '../index.ts';
import { testPorts } from './test-ports.ts';

/** Run as a program: the far end, whose commands are scripts of the shell in place of keadm's. */
const [program = '', ...args] = process.argv;
const [entry = '', group = '', verb = '', path = '', , from = '0'] = args;
const ports = testPorts([program, entry], (line) => void process.stdout.write(line));
const { signal } = new AbortController();
const folder = jobFolder(path);
/** `status`, as far as it is asked for. */
const EDGE_STATUS = { healthy: true, services: { agent: { state: 'running' } }, node: {} };
const readJob = (line: string): FarEndJob => FarEndJob.parse(JSON.parse(line));

switch (verb) {
  case 'run': {
    const job = readJob(await text(process.stdin));
    const { found } = await startJob(folder, job, ports, signal);
    ports.emit(`${farEndLine({ type: 'attached', id: job.id, found })}\n`);
    await followJob(folder, Number(from), ports, signal);
    break;
  }
  case 'attach':
    await followJob(folder, Number(from), ports, signal);
    break;
  case 'hold':
    await holdJob(folder, readJob(await text(process.stdin)), ports, signal);
    break;
  case 'child':
    process.exitCode = await runShell();
    break;
  case 'state':
    process.stdout.write(`${(await jobState(folder, ports)).kind}\n`);
    break;
  case 'stop':
    await stopJob(folder, ports, signal);
    break;
  case 'digest':
    process.stdout.write(await fileDigest(path));
    break;
  case 'preview':
    readJob(await text(process.stdin));
    process.stdout.write(JSON.stringify({ plan: hasJoined() ? [] : ['join'], version: 'v1.33.1' }));
    break;
  default:
    process.stdout.write(JSON.stringify(group === 'kube' ? workerStatus() : EDGE_STATUS));
}

/** Whether there is a worker: a script makes it by a file in the home folder. */
function hasJoined(): boolean {
  return existsSync(join(process.env['HOME'] ?? '', 'joined'));
}

/** `kube status`, as far as it is asked for. */
function workerStatus() {
  const joined = hasJoined();
  const worker = joined ? { version: 'v1.33.1', cluster: { node: {} } } : {};
  const state = joined ? 'running' : 'absent';
  return { working: false, waitsForNetwork: joined, joined, prepared: false, service: { state }, ...worker };
}

/** The job's last word is the script; it ends when the input does. */
async function runShell(): Promise<number> {
  const source = byteSource(process.stdin);
  const job = readJob(await source.line());
  const child = spawn('sh', ['-c', job.argv.at(-1) ?? ''], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill();
  void source.line().then(stop, stop);
  child.stdout.on('data', (piece: Buffer) => process.stdout.write(redact(piece.toString(), job.secrets)));
  child.stderr.on('data', (piece: Buffer) => process.stderr.write(redact(piece.toString(), job.secrets)));
  await once(child, 'close');
  process.stdin.destroy();
  return child.exitCode ?? 143;
}
