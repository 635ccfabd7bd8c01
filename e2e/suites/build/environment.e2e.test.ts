/** The built executables ignore the variables of Node.js and OpenSSL, and never open an inspector. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TARGETS } from '../../../build/targets.ts';
import { LOOPBACK_CERTIFICATE } from '@fenestra/kube-api/testing/loopback-certificate';
import { CHECKOUT, RUNTIME } from '../../support/beds/checkout.ts';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { startWindowsNode, type WindowsNode } from '../../support/beds/wine-bed.ts';
import { startReleaseServer } from '../../support/fetching/release-server.ts';

const KEADM = join(CHECKOUT, 'dist/linux-x64/keadm');
const { signal } = new AbortController();
const PATIENCE = { timeout: 30_000 };
/** Loads a module of a path that does not exist: a program that reads this configuration aborts. */
const OPENSSL_CONF = `nodejs_conf = init
openssl_conf = init
[init]
providers = providers
[providers]
absent = absent
[absent]
module = /absent/module.so
activate = 1
`;
/** It has the form of a join token; no cloud is asked. */
const TOKEN = [
  '0'.repeat(64),
  ...[{ alg: 'HS256' }, { exp: 4e9 }].map((part) => btoa(JSON.stringify(part)).replaceAll('=', '')),
  'c2ln',
].join('.');
let folder: string;
/** What runs if a program loads it. */
let script: string;

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-environment-'));
  script = join(folder, 'injected.cjs');
  await writeFile(script, `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'injected'))}, '');`);
  await writeFile(join(folder, 'openssl.cnf'), OPENSSL_CONF);
  await writeFile(join(folder, 'ca.crt'), LOOPBACK_CERTIFICATE);
});
afterAll(async () => rm(folder, { recursive: true }));

async function keadm(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ended> {
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  return new Promise((resolve) => {
    execFile(KEADM, [...args], { env: { ...rest, ...variables } }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    );
  });
}

/** Every file below a folder; empty folders do not count. */
async function filesBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('on Linux', () => {
  test.each([
    ['NODE_OPTIONS', () => `--require ${script}`],
    ['NODE_OPTIONS', () => '--inspect=127.0.0.1:0'],
    ['OPENSSL_CONF', () => join(folder, 'openssl.cnf')],
    ['OPENSSL_MODULES', () => folder],
    ['NODE_EXTRA_CA_CERTS', () => join(folder, 'absent.pem')],
    ['NODE_PATH', () => folder],
    ['NODE_ICU_DATA', () => folder],
    ['NODE_DEBUG', () => 'module,net,http,tls,child_process,fs'],
    ['NODE_DEBUG_NATIVE', () => 'SEA'],
    ['NODE_PENDING_DEPRECATION', () => '1'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', () => '0'],
    ['NODE_USE_ENV_PROXY', () => '1'],
    ['NODE_UNIQUE_ID', () => '1'],
    ['UV_THREADPOOL_SIZE', () => '1'],
  ])('%s is ignored', async (name, value) => {
    const plain = await keadm(['version'], {});
    expect(plain).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await keadm(['version'], { [name]: value() })).toEqual(plain);
    expect(existsSync(join(folder, 'injected'))).toBe(false);
  });

  // V8 code from this folder would be run instead of the program's own.
  test.each(['NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'NODE_REDIRECT_WARNINGS'])(
    '%s has no file read or written',
    async (name) => {
      const target = join(folder, name);
      expect((await keadm(['version'], { [name]: target })).exitCode).toBe(0);
      expect(await filesBelow(target)).toEqual([]);
      expect(await filesBelow(folder)).not.toContain(name);
    },
  );

  test('NODE_REPL_EXTERNAL_MODULE is refused and its module not loaded', async () => {
    expect((await keadm(['version'], { NODE_REPL_EXTERNAL_MODULE: script })).exitCode).toBe(9);
    expect(existsSync(join(folder, 'injected'))).toBe(false);
  });

  test.each([
    ['--node-options', () => `--require ${script}`],
    ['--require', () => script],
    ['--inspect', () => '127.0.0.1:0'],
  ])('the option %s of Node.js is an unknown option', async (option, value) => {
    expect((await keadm([`${option}=${value()}`, 'version'], {})).exitCode).toBe(2);
    expect(existsSync(join(folder, 'injected'))).toBe(false);
  });

  test('downloads trust KEADM_CA_FILE, and no variable of Node.js', async () => {
    await using server = await startReleaseServer('https');
    const from = ['join', '--dry-run', '--cloudcore-ip', '127.0.0.1', '--token', TOKEN, '--version', 'v0.2.0'];
    const args = [...from, '--root', join(folder, 'root'), '--from', `${server.url}/`];
    const ca = join(folder, 'ca.crt');
    for (const variables of [{ NODE_EXTRA_CA_CERTS: ca }, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }]) {
      expect((await keadm(args, variables)).stderr).toContain('KEADM_CA_FILE');
      expect(server.requests).toEqual([]);
    }
    await keadm(args, { KEADM_CA_FILE: ca });
    expect(server.requests).not.toEqual([]);
  });

  test('SIGUSR1 opens no inspector, and the agent goes on', async () => {
    const state = join(folder, 'state');
    await mkdir(state);
    const agent = spawn(KEADM, ['edgecore', '--state-folder', state], { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      const said = collect(agent);
      await vi.waitUntil(() => existsSync(join(state, 'agent-status.json')), PATIENCE);
      expect(await catchesDebugSignal(agent)).toBe(false);
      agent.kill('SIGUSR1');
      agent.kill('SIGTERM');
      const [exitCode] = await once(agent, 'exit');
      expect({ exitCode, said: said() }).toEqual({ exitCode: 0, said: expect.not.stringContaining('Debugger') });
    } finally {
      agent.kill('SIGKILL');
    }
  });
});

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

/** Whether a process has a handler for SIGUSR1, which is number 10. */
async function catchesDebugSignal({ pid }: ChildProcess): Promise<boolean> {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  return (BigInt(`0x${caught}`) & (1n << 9n)) !== 0n;
}

describe('on Windows', () => {
  let node: WindowsNode;

  beforeAll(async () => {
    node = await startWindowsNode({}, signal);
    const target = TARGETS.find(({ name }) => name === 'windows-x64');
    await copyFile(join(CHECKOUT, 'dist/windows-x64', target?.executable ?? ''), node.hostPath('C:\\keadm.exe'));
    await writeFile(node.hostPath('C:\\injected.cjs'), "require('node:fs').writeFileSync('C:\\\\injected', '')");
    await writeFile(node.hostPath('C:\\openssl.cnf'), OPENSSL_CONF);
    await writeFile(node.hostPath('C:\\ca.crt'), LOOPBACK_CERTIFICATE);
  });
  afterAll(async () => node.stop());

  test.each([
    ['NODE_OPTIONS', '--require C:\\injected.cjs'],
    ['NODE_OPTIONS', '--inspect=127.0.0.1:0'],
    ['OPENSSL_CONF', 'C:\\openssl.cnf'],
    ['NODE_ICU_DATA', 'C:\\'],
    ['NODE_EXTRA_CA_CERTS', 'C:\\ca.crt'],
  ])('%s=%s is ignored', async (name, value) => {
    const result = await node.run('C:\\keadm.exe', ['version'], { env: { [name]: value } });
    expect(result).toEqual({ exitCode: 0, stdout: expect.stringContaining('fenestra'), stderr: '' });
    expect(existsSync(node.hostPath('C:\\injected'))).toBe(false);
  });

  test.each(['NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])('%s has no file read or written', async (name) => {
    await node.run('C:\\keadm.exe', ['version'], { env: { [name]: `C:\\${name}` } });
    expect(await filesBelow(node.hostPath(`C:\\${name}`))).toEqual([]);
  });

  // Node.js puts a name into the system by which another process starts the inspector of a running one.
  test.each([
    ['a plain Node.js', toWindowsPath(RUNTIME.nodeWindows), ['-'], 'opened\n'],
    ['keadm', 'C:\\keadm.exe', ['capi', 'lint', '-'], 'refused\n'],
  ])('another process that debugs %s that waits for its input', async (_, program, args, outcome) => {
    const debug = `
      const child = require('node:child_process').spawn(${JSON.stringify(program)}, ${JSON.stringify(args)});
      setTimeout(() => {
        try { process._debugProcess(child.pid); console.log('opened'); } catch { console.log('refused'); }
        child.kill();
      }, 5000);`;
    expect((await node.run(toWindowsPath(RUNTIME.nodeWindows), ['-e', debug])).stdout).toBe(outcome);
  });
});
