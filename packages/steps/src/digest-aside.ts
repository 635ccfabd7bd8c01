import { Worker } from 'node:worker_threads';
import { once } from 'node:events';

/** Plain text, because an executable has no file that a thread could begin with. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { closeSync, openSync, readSync } = require('node:fs');
const file = openSync(workerData, 'r');
const hash = createHash('sha256');
const piece = Buffer.allocUnsafe(1024 * 1024);
for (let bytes; (bytes = readSync(file, piece)) > 0; ) hash.update(piece.subarray(0, bytes));
closeSync(file);
parentPort.postMessage(hash.digest('hex'));
`;

/** The digest of a large file, by a thread of its own: hashing a program would keep everything else waiting. */
export async function digestAside(path: string): Promise<string> {
  // What this process was started with, such as modules to load first, is no business of the thread's.
  const thread = new Worker(THREAD, { eval: true, workerData: path, env: {}, execArgv: [] });
  const [digest] = await once(thread, 'message');
  return String(digest);
}
