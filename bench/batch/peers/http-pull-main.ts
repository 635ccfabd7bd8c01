import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { inLanes } from '../../../scripts/run-step.ts';
import type { Target } from '../methods.ts';
import type { Login } from '../targets.ts';
import { connectTo, runOn } from './bare-client.ts';

/** What this process is instructed to do. */
interface Order {
  readonly targets: readonly Target[];
  readonly width: number;
  readonly login: Login;
  readonly archive: string;
  readonly command: string;
}

const order: Order = JSON.parse(process.argv[2] ?? '');
const archive = readFileSync(order.archive);
const server = createServer((_request, response) => void response.end(archive)).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;

await inLanes(order.width, order.targets, async (target: Target) => {
  const connection = await connectTo(target, order.login);
  process.stdout.write(await runOn(connection, `curl -sS http://127.0.0.1:${port}/ | ${order.command}`));
  connection.client.end();
});
server.close();
server.closeAllConnections();
