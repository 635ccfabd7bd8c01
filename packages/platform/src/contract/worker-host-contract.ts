import assert from 'node:assert/strict';
import type { ContainerNetworks, Firewall, FirewallRule, WorkerHostFacts } from '../worker-host.ts';
import { type ContractCase, contractCase } from './case.ts';

/** What a bed may have to say it cannot show. */
export type WorkerHostTopic = 'rule-read-back';

/** A real machine, as a plain Kubernetes worker needs it. */
export interface WorkerHostBed {
  readonly facts: () => Promise<WorkerHostFacts>;
  readonly firewall: Firewall;
  readonly networks: ContainerNetworks;
  readonly cannotShow: Readonly<Partial<Record<WorkerHostTopic, string>>>;
}

const RULE: FirewallRule = {
  name: 'fenestra-contract',
  description: 'Lives for one test',
  protocol: 'tcp',
  port: 54_321,
};
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** What every adapter of a worker's ports must do. */
export function workerHostContract(bed: WorkerHostBed): readonly ContractCase[] {
  return [...factCases(bed), ...firewallCases(bed), ...networkCases(bed)];
}

function factCases({ facts }: WorkerHostBed): readonly ContractCase[] {
  return [
    contractCase('the facts are those of this system, and two readings agree', async () => {
      const first = await facts();
      assert.deepEqual(await facts(), first);
      if (first.os === 'linux') return assert.notEqual(first.cgroups, 'none');
      assert.match(first.systemDrive, /^[A-Z]:$/);
      assert.match(first.programDrive, /^[A-Z]:$/);
      assert.ok(first.build > 0, `build ${first.build}`);
    }),
  ];
}

function firewallCases({ firewall, cannotShow }: WorkerHostBed): readonly ContractCase[] {
  return [
    contractCase('a rule can be opened and closed, each of them twice, and never is what it is not', async () => {
      try {
        await firewall.open(RULE);
        await firewall.open(RULE);
        assert.notEqual(await firewall.state(RULE), 'closed');
      } finally {
        await firewall.close(RULE.name);
      }
      await firewall.close(RULE.name);
      assert.notEqual(await firewall.state(RULE), 'open');
    }),
    contractCase(
      'an open rule reads back as open, for its own port alone, and a closed one as closed',
      async () => {
        assert.equal(await firewall.state(RULE), 'closed');
        try {
          await firewall.open(RULE);
          assert.equal(await firewall.state(RULE), 'open');
          assert.equal(await firewall.state({ ...RULE, port: RULE.port + 1 }), 'closed');
          await firewall.open({ ...RULE, port: RULE.port + 1 });
          assert.equal(await firewall.state(RULE), 'closed');
        } finally {
          await firewall.close(RULE.name);
        }
        assert.equal(await firewall.state(RULE), 'closed');
      },
      cannotShow['rule-read-back'],
    ),
  ];
}

function networkCases({ networks }: WorkerHostBed): readonly ContractCase[] {
  return [
    contractCase('networks are listed whole, and removing one that is not there is fine', async () => {
      for (const { id, name, type } of await networks.list()) assert.ok(id !== '' && name !== '' && type !== '', id);
      await networks.remove(NOBODY);
    }),
  ];
}
