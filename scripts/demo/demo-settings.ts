import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '@fenestra/platform/testing/free-port';
import * as z from 'zod';

const Ports = z.object({ hub: z.int(), https: z.int(), api: z.int(), monitor: z.int(), metaServer: z.int() });

/** The ports of the demo, all on loopback. */
export type DemoPorts = z.infer<typeof Ports>;

/** Free ports the first time, and the same ones ever after: the demo's configuration names them. */
export async function demoPorts(folder: string): Promise<DemoPorts> {
  const file = join(folder, 'ports.json');
  try {
    return Ports.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    const [hub, https, api, monitor, metaServer] = await Promise.all(Array.from({ length: 5 }, freePort));
    const ports = Ports.parse({ hub, https, api, monitor, metaServer });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(ports));
    return ports;
  }
}
