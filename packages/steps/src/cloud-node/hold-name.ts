import * as z from 'zod/mini';
import { pathExists } from '@fenestra/platform';
import { defineStep } from '../define-step.ts';
import { giveNameBack, NamedNode } from './give-name-back.ts';

const HoldName = z.extend(NamedNode, {
  /** Whether the token that the node joins with can be used only once. */
  singleUse: z.boolean(),
});
type HoldName = z.infer<typeof HoldName>;

/** The agent takes the name when it joins; undoing the join gives it back, before the certificate is removed. */
export const holdName = defineStep({
  kind: 'hold-name',
  data: HoldName,
  describe: ({ nodeName, cloud }) => `Take the name "${nodeName}" in the cloud at "${cloud}"`,
  apply: async () => {},
  async revert(step, _before, { say }, signal) {
    const use = step.singleUse ? await tokenUse(step) : undefined;
    const note = await giveNameBack(step, signal);
    if (note !== undefined) say(note, { lasting: true });
    if (use !== undefined) {
      say(`The token ${use}; get another with "keadm gettoken --node ${step.nodeName}"`, { lasting: true });
    }
  },
});

/** While the agent waits for its certificate, it keeps the key that it asks with beside the key that it has. */
async function tokenUse({ certificateFile, keyFile }: HoldName): Promise<string | undefined> {
  if (await pathExists(certificateFile)) return 'is used up';
  return (await pathExists(`${keyFile}.pending`)) ? 'may be used up' : undefined;
}
