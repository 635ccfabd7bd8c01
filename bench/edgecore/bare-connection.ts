import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hostTarget } from '../executables.ts';

/** Connects with the node's certificate, says so on standard output, and stays until it is ended. */
const PROGRAM = `
const { readFileSync } = require('node:fs');
const { connect } = require('node:tls');
const [port, ...files] = process.argv.slice(1);
const [ca, cert, key] = files.map((file) => readFileSync(file));
connect({ host: '127.0.0.1', port: Number(port), ca, cert, key }, () => process.stdout.write('connected'))
  .on('error', () => {});
setInterval(() => {}, 1e6);
`;

/** Starts a bare Node.js process and returns how long it took to be connected, in milliseconds. */
export async function connectBareNode(root: string, hubPort: number): Promise<number> {
  const started = performance.now();
  const child = await holdBareConnection(root, hubPort);
  const took = performance.now() - started;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return took;
}

/** Starts a bare Node.js process that connects to the hub as the node below this folder does, and idles. */
export async function holdBareConnection(root: string, hubPort: number): Promise<ChildProcess> {
  const files = ['ca/rootCA.crt', 'certs/server.crt', 'certs/server.key'].map((file) =>
    join(root, 'etc/kubeedge', file),
  );
  const child = spawn(hostTarget().runtime, ['-e', PROGRAM, String(hubPort), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const connected = once(child.stdout, 'data', { signal: AbortSignal.timeout(30_000) });
  try {
    await connected;
    return child;
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error('A bare Node.js process could not connect to the hub', { cause });
  }
}
