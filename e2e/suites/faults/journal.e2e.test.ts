import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeadmMachine, MACHINES } from '../../support/machines/keadm-machine.ts';

describe.each(MACHINES)('a journal changed by someone on $title', ({ start }) => {
  let machine: KeadmMachine;
  let journal: string;

  beforeAll(async () => {
    machine = await start(new AbortController().signal);
    await machine.keadm(['service', 'install'], { FENESTRA_KILL_AFTER_RECORD: '4' });
    const separator = machine.paths.bookkeeping.includes('\\') ? '\\' : '/';
    const folder = [machine.paths.bookkeeping, 'journal'].join(separator);
    const name = readdirSync(machine.node.hostPath(folder)).find((file) => file.endsWith('.journal')) ?? '';
    journal = [folder, name].join(separator);
    const bytes = readFileSync(machine.node.hostPath(journal));
    bytes.write('~', 40);
    writeFileSync(machine.node.hostPath(journal), bytes);
  });
  afterAll(async () => machine.node.stop());

  test.each([[['service', 'install']], [['recover']]])('%j refuses to guess, and says where it is', async (args) => {
    const { exitCode, stderr } = await machine.keadm(args);
    expect(exitCode).toBe(6);
    expect(stderr).toContain(journal);
    expect(stderr).toContain('keadm journal set-aside');
  });

  test('doctor tells', async () => {
    const { exitCode, stdout } = await machine.keadm(['doctor']);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/FAIL +journal +Cannot trust the journal/);
  });

  test('it can be looked at, up to the damage', async () => {
    const { exitCode, stdout } = await machine.keadm(['journal', 'show', journal]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Damaged: bad record at byte 0');
  });

  test('set aside, it no longer stands in the way', async () => {
    expect((await machine.keadm(['journal', 'set-aside', journal])).exitCode).toBe(0);
    expect((await machine.keadm(['service', 'install'])).exitCode).toBe(0);
  });
});
