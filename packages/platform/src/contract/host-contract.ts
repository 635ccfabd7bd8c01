import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { type ContractCase, contractCase, rejectsWith } from './case.ts';

/** What a bed may have to say it cannot show. */
export type HostTopic = 'ports' | 'boot-identity';

/** A real machine. */
export interface HostBed {
  readonly host: Host;
  /** An existing scratch folder. */
  readonly folder: string;
  /** A program that, run with these arguments, ends by itself at once. */
  readonly shortRunning: { readonly executable: string; readonly args: readonly string[] };
  readonly cannotShow: Readonly<Partial<Record<HostTopic, string>>>;
}

/** What every `Host` must do. */
export function hostContract(bed: HostBed): readonly ContractCase[] {
  return [...factCases(bed), ...portCases(bed), ...processCases(bed), ...elevationCases(bed)];
}

function factCases({ host, folder }: HostBed): readonly ContractCase[] {
  return [
    contractCase('the facts are sane and complete', async () => {
      const facts = await host.facts();
      for (const key of ['osName', 'osVersion', 'build', 'edition', 'hostName', 'bootId'] as const) {
        assert.notEqual(facts[key].trim(), '', `no ${key}`);
      }
      assert.ok(facts.totalMemoryBytes > 64 * 1024 * 1024, `memory ${facts.totalMemoryBytes}`);
      assert.ok(facts.freeMemoryBytes > 0 && facts.freeMemoryBytes <= facts.totalMemoryBytes);
      assert.ok(Math.abs(facts.clock.now.getTime() - Date.now()) < 10_000, 'the clock is off');
    }),
    contractCase('two readings of what never changes agree', async () => {
      const [first, second] = [await host.facts(), await host.facts()];
      assert.equal(first.bootId, second.bootId);
      assert.equal(first.osVersion, second.osVersion);
    }),
    contractCase('the disk of a path that does not exist yet is that of its nearest parent', async () => {
      const parent = await host.disk(folder);
      const future = await host.disk(join(folder, 'not', 'yet', 'there'));
      assert.equal(future.totalBytes, parent.totalBytes);
      assert.ok(parent.totalBytes > 0 && parent.freeBytes >= 0 && parent.freeBytes <= parent.totalBytes);
    }),
  ];
}

function portCases({ host, cannotShow }: HostBed): readonly ContractCase[] {
  return ['127.0.0.1', '0.0.0.0'].map((address) =>
    contractCase(
      `a port in use on ${address} is not free, and is free afterwards`,
      async () => {
        const server = createServer();
        const port = await listen(server, address);
        assert.equal(await host.portFree(port), false);
        server.close();
        await once(server, 'close');
        assert.equal(await host.portFree(port), true);
      },
      cannotShow.ports,
    ),
  );
}

function processCases({ host, shortRunning, cannotShow }: HostBed): readonly ContractCase[] {
  return [
    contractCase('this process is running, and is the same each time it is asked', async () => {
      const self = await host.self();
      assert.deepEqual(await host.self(), self);
      assert.equal(await host.isAlive(self), true);
    }),
    contractCase('a process that has ended is not alive', async () => {
      const child = spawn(shortRunning.executable, [...shortRunning.args], { stdio: 'ignore' });
      await once(child, 'exit');
      assert.equal(await host.isAlive({ ...(await host.self()), pid: child.pid ?? 0 }), false);
    }),
    contractCase('another process that has the number now is not taken for the one meant', async () => {
      const self = await host.self();
      assert.equal(await host.isAlive({ ...self, startedAt: otherMark(self.startedAt) }), false);
    }),
    contractCase(
      'a process of an earlier boot is not alive',
      async () => {
        assert.equal(await host.isAlive({ ...(await host.self()), bootId: 'an-earlier-boot' }), false);
      },
      cannotShow['boot-identity'],
    ),
  ];
}

function elevationCases({ host }: HostBed): readonly ContractCase[] {
  return [
    contractCase('requireElevation passes for an administrator and names what is missing for others', async () => {
      const { elevated } = await host.facts();
      if (elevated) return host.requireElevation('Installing a service');
      const error = await rejectsWith('PRIVILEGE_REQUIRED', () => host.requireElevation('Installing a service'));
      assert.match(error.message, /Installing a service/);
    }),
  ];
}

async function listen(server: Server, address: string): Promise<number> {
  server.listen(0, address);
  await once(server, 'listening');
  return addressOf(server).port;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

/** The same shape with another last digit. */
function otherMark(mark: string): string {
  return `${mark.slice(0, -1)}${mark.endsWith('1') ? '2' : '1'}`;
}
