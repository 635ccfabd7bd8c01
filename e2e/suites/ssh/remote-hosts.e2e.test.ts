import { remoteHostsContract } from '@fenestra/platform/contract';
import { sshRemoteHosts, systemSsh } from '@fenestra/ssh';
import { afterAll, describe, test } from 'vitest';
import { startSshd } from '../../support/beds/sshd-bed.ts';
import { sshContractBed } from './ssh-contract-bed.ts';

const { signal } = new AbortController();
const sshd = await startSshd(
  // Keys are exchanged again every few megabytes, as they are once in a while in a long push.
  { machines: 3, listen: ['127.0.0.1', '127.0.0.2', '::1'], extraConfig: ['RekeyLimit 8M'] },
  signal,
);
const sources = { knownHosts: [sshd.knownHosts] };
const ADAPTERS = [
  { title: 'the library', transport: 'library' as const, hosts: sshRemoteHosts(sources) },
  { title: "the system's ssh", transport: 'system' as const, hosts: systemSsh(sources) },
];

afterAll(async () => sshd.stop());

describe.each(ADAPTERS)('remote hosts by $title', async ({ transport, hosts }) => {
  const contractBed = await sshContractBed(sshd, hosts, transport, signal);
  afterAll(() => contractBed.stop());
  for (const promise of remoteHostsContract(contractBed.bed))
    test(promise.name, async (context) => {
      if (promise.skip !== undefined) context.skip(promise.skip);
      await promise.run();
    });
});
