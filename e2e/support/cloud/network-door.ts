/**
 * Run inside another network: `node network-door.ts '[[FROM, TO], …]'` carries connections between its loopback and
 * Unix sockets, which every network shares, until it is killed. It prints a line once all are open.
 */
import * as z from 'zod';
import { openRelay } from './relay.ts';

const Endpoint = z.union([z.object({ port: z.int() }), z.object({ path: z.string() })]);
const Stretches = z.array(z.tuple([Endpoint, Endpoint]));

for (const [from, to] of Stretches.parse(JSON.parse(process.argv[2] ?? ''))) await openRelay(from, to);
process.stdout.write('open\n');
