import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
const [entry = '', , verb = '', path = '', , from = '0'] = args;
const ports = testPorts([program, entry], (line) => void process.stdout.write(line));
const { signal } = new AbortController();
const folder = jobFolder(path);
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
  default:
    // `status`, as far as it is asked for.
    process.stdout.write(JSON.stringify({ healthy: true, services: { agent: { state: 'running' } }, node: {} }));
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
