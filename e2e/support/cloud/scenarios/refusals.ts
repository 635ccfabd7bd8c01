import { existsSync } from 'node:fs';
import { KINDS } from '@fenestra/kube-api';
import { edgePaths } from '@fenestra/contracts';
import { expect, test, vi } from 'vitest';
import { makeBadTokens, type BadTokens } from '../join-tokens.ts';
import { TOKEN_SETTING } from '../node-file.ts';
import { PATIENCE, unlimited } from '../patience.ts';
import type { Parts } from './parts.ts';

const CASES: readonly (readonly [keyof BadTokens, RegExp])[] = [
  ['expired', /expired/],
  ['foreign', /refuse|accept|not made/],
  ['otherCa', /its CA is not the token's/],
];

/** Before a node has joined: no bad token gets it in, each says what is wrong with it, and none changes anything. */
export function refusalCases(parts: Parts): void {
  test('the agent is installed without a token, and says that it needs one', async () => {
    const { node } = parts();
    await node.configure({});
    await node.keadm('service', 'install');
    await vi.waitFor(async () => expect((await node.status())?.problem?.code).toBe('TOKEN_INVALID'), PATIENCE);
  });

  test.each(CASES)('a token that is bad by being %s is refused with the reason', async (badness, reason) => {
    const { cloud, node } = parts();
    const tokens = await makeBadTokens(cloud.api);
    await node.configure({ [TOKEN_SETTING]: tokens[badness] });
    await node.keadm('service', 'reload');
    await vi.waitFor(async () => {
      const { problem, connected } = (await node.status()) ?? {};
      expect({ code: problem?.code, connected }).toEqual({ code: 'TOKEN_INVALID', connected: false });
      expect(problem?.message).toMatch(reason);
    }, PATIENCE);
    expect(await node.log()).toContain('TOKEN_INVALID');
    expect(await node.log()).not.toContain(tokens[badness].slice(-40));
  });

  test('after all these refusals nothing has changed on either side', async () => {
    const { cloud, node } = parts();
    const { caFile, certFile, keyFile } = edgePaths(node.os);
    const files = [caFile, certFile, keyFile].map((path) => node.machine.node.hostPath(path));
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    expect(await cloud.api.find(KINDS.node, { name: node.name }, unlimited())).toBeUndefined();
  });
}
