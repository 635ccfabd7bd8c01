import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, SFTPWrapper } from 'ssh2';
import { inLanes } from '../../../scripts/run-step.ts';
import type { Target } from '../methods.ts';
import type { Login } from '../targets.ts';
import { connectTo, runOn, type BareClient } from './bare-client.ts';

/** What this process is instructed to do. */
interface Order {
  readonly targets: readonly Target[];
  readonly width: number;
  readonly login: Login;
  readonly program: string;
  /** How much of the program is sent. */
  readonly bytes: number;
  readonly files: string;
  readonly command: string;
}

const BLOCK_BYTES = 32 * 1024;
const order: Order = JSON.parse(process.argv[2] ?? '');
// Read once, which upstream does for every node.
const program = readFileSync(order.program).subarray(0, order.bytes);
const files = readdirSync(order.files).map((name) => ({ name, content: readFileSync(join(order.files, name)) }));

await inLanes(order.width, order.targets, async (target: Target) => {
  const connection = await connectTo(target, order.login);
  await runOn(connection, 'mkdir -p files');
  for (const { name, content } of [{ name: 'keadm', content: program }, ...files])
    await sendFile(connection, join(target.home, name), content);
  process.stdout.write(await runOn(connection, order.command));
  connection.client.end();
});

async function sendFile({ client }: BareClient, path: string, content: Buffer): Promise<void> {
  const sftp = await openSftp(client);
  const handle = await opened(sftp, path);
  for (let start = 0; start < content.length; start += BLOCK_BYTES) {
    const size = Math.min(BLOCK_BYTES, content.length - start);
    await done((end) => sftp.write(handle, content, start, size, start, end));
  }
  await done((end) => sftp.close(handle, end));
  await done((end) => sftp.chmod(path, 0o755, end));
  sftp.end();
}

async function openSftp(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error)));
  });
}

async function opened(sftp: SFTPWrapper, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sftp.open(path, 'w', (error, handle) => (error === undefined ? resolve(handle) : reject(error)));
  });
}

async function done(start: (end: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}
