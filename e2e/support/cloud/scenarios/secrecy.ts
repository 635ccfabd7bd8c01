import { expect, test } from 'vitest';
import { filesWithToken, signatureOf } from '../files-with-token.ts';
import type { Parts } from './parts.ts';

/** After everything, the join token is nowhere it must not be. */
export function secrecyCases(parts: Parts): void {
  test('no file of the node holds the join token any more', async () => {
    const { cloud, node } = parts();
    const token = await cloud.token();
    expect(await filesWithToken(node.machine, token)).toEqual([]);
    if (node.machine.title === 'Linux with systemd') {
      const { stdout } = await node.machine.node.run('journalctl', ['--no-pager', '--output=cat']);
      expect(stdout).toContain('Connected to the cloud');
      expect(stdout).not.toContain(signatureOf(token));
    }
  });

  test("no log of the cloud holds it, and no file that others than the cloud's own user may read", async () => {
    const { cloud } = parts();
    const found = await filesWithToken(cloud.machine, await cloud.token());
    expect(found.filter(({ path, readableByAll }) => readableByAll || path.includes('log'))).toEqual([]);
  });
}
