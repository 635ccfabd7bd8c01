import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeadmMachine, MACHINES } from '../../support/machines/keadm-machine.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { unlimited } from '../../support/cloud/patience.ts';

describe.each(MACHINES)('a cloud that cannot start on $title', ({ title, start }) => {
  let machine: KeadmMachine;

  beforeAll(async () => {
    machine = await start(unlimited());
  });
  afterAll(async () => machine.node.stop());

  test('leaves nothing behind, neither its identity nor its database, and says why where the system keeps its log', async () => {
    const [twice, hub, https] = await Promise.all([freePort(), freePort(), freePort()]);
    const inTheWay = ['--api-address', `127.0.0.1:${twice}`, '--monitor-address', `127.0.0.1:${twice}`];
    const others = ['--advertise-address', '127.0.0.1', '--hub-port', `${hub}`, '--https-port', `${https}`];
    const { exitCode, stdout } = await machine.keadm(['init', '--embedded', ...inTheWay, ...others]);
    expect(exitCode).toBe(11);
    expect(stdout).toContain('Everything was undone');
    if (title !== 'Windows') expect(stdout).toContain(`Cannot listen on "127.0.0.1:${twice}"`);
    expect(existsSync(machine.node.hostPath(machine.paths.stateFolder))).toBe(false);
  });
});
