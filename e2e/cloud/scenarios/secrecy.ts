import { expect, test } from 'vitest';
import type { KeadmMachine } from '../../machines/keadm-machine.ts';
import { filesContaining } from '../files-containing.ts';
import type { Parts } from './parts.ts';

/** After everything, the join token is nowhere it must not be. */
export function secrecyCases(parts: Parts): void {
  test('no file of the node holds the join token any more', async () => {
    const { cloud, node } = parts();
    const token = await cloud.token();
    expect(await holding(node.machine, token)).toEqual([]);
    if (node.machine.title === 'Linux with systemd') {
      const { stdout } = await node.machine.node.run('journalctl', ['--no-pager', '--output=cat']);
      expect(stdout).toContain('Connected to the cloud');
      expect(stdout).not.toContain(signatureOf(token));
    }
  });

  test("no log of the cloud holds it, and no file that others than the cloud's own user may read", async () => {
    const { cloud } = parts();
    const found = await holding(cloud.machine, await cloud.token());
    expect(found.filter(({ path, readableByAll }) => readableByAll || path.includes('log'))).toEqual([]);
  });
}

async function holding(machine: KeadmMachine, token: string): Promise<Awaited<ReturnType<typeof filesContaining>>> {
  const { configFolder, stateFolder, bookkeeping } = machine.paths;
  const folders = [
    configFolder,
    stateFolder,
    bookkeeping,
    ...(configFolder.startsWith('/') ? ['/var/log', '/tmp'] : []),
  ];
  // In the secret of the cloud it is in base64.
  const forms = [signatureOf(token), Buffer.from(token).toString('base64').slice(-60)];
  const found = await Promise.all(folders.map(async (each) => filesContaining(machine.node.hostPath(each), forms)));
  return found.flat();
}

/** The part of a token that is worth stealing and that nothing else contains. */
function signatureOf(token: string): string {
  return token.split('.').at(-1) ?? token;
}
