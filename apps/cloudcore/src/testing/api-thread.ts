import { parentPort, workerData } from 'node:worker_threads';
import { serveApi } from '../embedded-api/serve-api.ts';

const BLOCKED_MS = 1_200;

/** The embedded API's thread as unit tests start it: from the sources. The message `block` keeps it busy. */
if (parentPort !== null) {
  parentPort.on('message', (message) => message === 'block' && block());
  void serveApi(parentPort, workerData);
}

function block(): void {
  const until = performance.now() + BLOCKED_MS;
  while (performance.now() < until);
}
