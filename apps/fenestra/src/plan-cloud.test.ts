import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform } from '#platform';
import { type InitWishes, planCloud } from '@fenestra/lifecycle/cloud';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'plan-cloud-'));
const { signal } = new AbortController();

afterAll(() => rmSync(folder, { recursive: true }));

const EMBEDDED: InitWishes = {
  advertiseAddresses: undefined,
  hubPort: 10_000,
  httpsPort: 10_002,
  monitorAddress: '127.0.0.1:9091',
  embeddedAddress: '127.0.0.1:6443',
  kubeconfig: undefined,
};

async function planned(wishes: InitWishes) {
  const { layout, services } = await openPlatform(folder);
  return planCloud({ layout, executable: '/bin/true', ports: { services } }, wishes, signal);
}

test('the plan of a cloud with the embedded API has the whole service and no manifests, and changes nothing', async () => {
  const { plan, manifests } = await planned({ ...EMBEDDED, advertiseAddresses: ['10.0.0.5'] });
  expect(plan.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
    'create-folder',
    'claim-folders',
    'create-folder',
    'write-file',
    'place-executable',
    'install-service',
    'start-service',
  ]);
  expect(manifests).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a cloud is reached at the addresses that were given, and otherwise at those of the machine, which it says', async () => {
  const given = await planned({ ...EMBEDDED, advertiseAddresses: ['10.0.0.5', '10.0.0.6'] });
  expect(given.advertiseAddresses).toEqual(['10.0.0.5', '10.0.0.6']);
  const { plan, advertiseAddresses } = await planned(EMBEDDED);
  expect(advertiseAddresses.length).toBeGreaterThan(0);
  const configuration = JSON.stringify(plan.find(({ id }) => id === 'write-configuration'));
  for (const address of advertiseAddresses) expect(configuration).toContain(`- ${address}`);
});

test('a kubeconfig that cannot be read fails before anything is changed', async () => {
  const wishes = { ...EMBEDDED, embeddedAddress: undefined, kubeconfig: join(folder, 'absent') };
  await expect(planned(wishes)).rejects.toMatchObject({ exitCode: 23 });
  expect(readdirSync(folder)).toEqual([]);
});
