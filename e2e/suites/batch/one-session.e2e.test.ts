/** A server that allows a single session per connection: each one starts while the last may still be ending. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SshdBed, startSshd } from '../../support/beds/sshd-bed.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { attemptsIn, type Controller, openController, problemsIn, statesIn } from './controller.ts';
import { keyAuth } from './fleet-site.ts';

let sshd: SshdBed;
let controller: Controller;

beforeAll(async () => {
  sshd = await startSshd({ machines: 1, extraConfig: ['MaxSessions 1'] }, unlimited());
  controller = await openController();
});
afterAll(async () => {
  await controller.close();
  await sshd.stop();
});

test.each(['push', 'pull'])('%s: the node is worked on all the same, at the first attempt', async (delivery) => {
  const [machine] = sshd.machines;
  if (machine === undefined) throw new Error('the bed has no machine');
  const { host, port, home } = machine;
  const file = await controller.write('history.yaml', {
    delivery,
    defaults: { ssh: { username: sshd.user, auth: keyAuth(sshd.keyFile) } },
    nodes: [{ nodeName: 'edge', keadmCmd: `history --root ${home}/${delivery}`, ssh: { ip: host, port } }],
  });
  const words = ['run', '-c', file, '--runs', controller.runs, '--known-hosts', sshd.knownHosts];
  const answer = await controller.start(words).ended;
  expect(problemsIn(answer)).toEqual([]);
  expect(statesIn(answer)).toEqual({ edge: 'done' });
  for (const state of ['surveying', 'delivering', 'executing'])
    expect(attemptsIn(answer, 'edge', state), state).toBe(1);
});
