import { generateKeyPairSync } from 'node:crypto';
import { planWorkflow } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { EDGE_IMAGE, testFacts, WORKER_IMAGE } from '../testing/image-facts.ts';
import type { ProvisionFacts } from './provision-facts.ts';
import { AFTER_ROLE, BEFORE_ROLE } from './workflow.ts';

function steps(facts: ProvisionFacts) {
  return planWorkflow([...BEFORE_ROLE, ...AFTER_ROLE], facts).flatMap((phase) => phase.steps);
}

function kinds(facts: ProvisionFacts): readonly string[] {
  return steps(facts).map(({ kind }) => kind);
}

/** A machine that is the wanted image already. */
function madeFrom(facts: ProvisionFacts): ProvisionFacts {
  return {
    ...facts,
    downloads: [],
    missingFolders: [],
    containerdInPlace: true,
    containerdConfig: { ...facts.containerdConfig, isCurrent: true },
    containerdService: { ...facts.containerdService, isRegistered: true },
    cloudbaseInPlace: true,
    cloudbaseStart: 'manual',
    cloudbaseTexts: facts.cloudbaseTexts.map((text) => ({ ...text, isCurrent: true })),
    copies: facts.copies.map((copy) => ({ ...copy, installedSha256: copy.sha256 })),
    features: [],
    registry: [],
    searchFolders: [],
    provenance: { ...facts.provenance, isCurrent: true },
  };
}

test('all downloads are verified before anything else happens', () => {
  const order = kinds(testFacts(WORKER_IMAGE));
  const fetched = order.lastIndexOf('fetch-piece');
  expect(order.slice(0, fetched + 1)).toEqual(['create-folder', 'fetch-piece', 'fetch-piece', 'fetch-piece']);
  expect(order.slice(fetched + 1)).not.toContain('fetch-piece');
});

test('nothing that cannot be undone happens before what the image is made of is written down', () => {
  const planned = steps(testFacts(WORKER_IMAGE));
  const firstDeletion = planned.findIndex(({ pointOfNoReturn }) => pointOfNoReturn === true);
  const record = planned.findIndex((step) => step['path'] === 'C:\\var\\lib\\fenestra\\image.json');
  expect(record).toBeGreaterThan(-1);
  expect(firstDeletion).toBeGreaterThan(record);
});

test('a machine that is the image already has nothing to be done', () => {
  expect(steps(madeFrom(testFacts(WORKER_IMAGE)))).toEqual([]);
  expect(steps(madeFrom(testFacts(EDGE_IMAGE)))).toEqual([]);
});

test('only what is missing is made up for', () => {
  const made = madeFrom(testFacts(WORKER_IMAGE));
  expect(kinds({ ...made, cloudbaseStart: 'automatic' })).toEqual(['set-start-type']);
  expect(kinds({ ...made, searchFolders: ['C:\\k'] })).toEqual(['add-to-search-path']);
  const texts = made.cloudbaseTexts.map((text, index) => ({ ...text, isCurrent: index > 0, replacedSha256: 'ab' }));
  expect(kinds({ ...made, cloudbaseTexts: texts })).toEqual(['write-file', 'discard-path']);
});

test('a containerd that runs is stopped while it is replaced', () => {
  const made = madeFrom(testFacts(WORKER_IMAGE));
  const running = { ...made.containerdService, state: 'running' } as const;
  expect(kinds({ ...made, containerdService: running })).toEqual([]);
  const changed = { ...made, containerdService: running, containerdInPlace: false, replacesContainerd: true };
  expect(kinds(changed)).toEqual(['stop-service', 'unpack-archive', 'start-service', 'discard-path']);
});

test('an edge node gets the agent, and no programs of Kubernetes', () => {
  const planned = steps(testFacts(EDGE_IMAGE));
  expect(planned.filter(({ kind }) => kind === 'fetch-piece').map(({ name }) => name)).toEqual([
    'containerd 2.1.4',
    'cloudbase-init 1.1.6',
  ]);
  expect(planned.filter(({ kind }) => kind === 'place-executable').map(({ to }) => to)).toEqual([
    'C:\\k\\keadm.exe',
    'C:\\etc\\kubeedge\\bin\\edgecore.exe',
  ]);
});

test.each([
  ['2019', 'HNSControlFlag'],
  ['2022', '1114842764'],
  ['2025', '520997518'],
])('Windows Server %s gets its own settings', (system, name) => {
  const { registry } = testFacts(WORKER_IMAGE.replace('system: 2022', `system: ${system}`));
  expect(registry.map((setting) => setting.name)).toContain(name);
});

test('a feature that may have been on before stays on when everything is undone', () => {
  const feature = { feature: 'Containers', wasOn: true };
  const made = madeFrom(testFacts(WORKER_IMAGE));
  expect(steps({ ...made, features: [feature] })).toEqual([{ kind: 'enable-feature', ...feature }]);
});

test('a policy excludes containerd from the scans of Defender', () => {
  const set = steps(testFacts(WORKER_IMAGE)).filter(({ kind }) => kind === 'set-registry-value');
  expect(set).toContainEqual({
    kind: 'set-registry-value',
    key: 'SOFTWARE\\Policies\\Microsoft\\Windows Defender\\Exclusions\\Processes',
    name: 'C:\\Program Files\\containerd\\bin\\containerd.exe',
    content: { type: 'text', value: '0' },
  });
});

test('the folders that Cluster API has the token written to are made private before anyone else can make them', () => {
  const made = steps(testFacts(WORKER_IMAGE)).filter(({ kind }) => kind === 'create-folder');
  expect(made.map(({ path }) => path)).toEqual(expect.arrayContaining(['C:\\run\\kubeadm', 'C:\\run\\cluster-api']));
});

test('a signature that is asked for is part of the plan', () => {
  const key = String(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
  const signed = WORKER_IMAGE.replace(
    'cloudbaseInit:\n',
    `cloudbaseInit:\n  signature:\n    url: https://mirror.example/x.sig\n    key: |\n${key.replaceAll(/^(?=.)/gm, '      ')}`,
  );
  const fetched = steps(testFacts(signed)).filter(({ kind }) => kind === 'fetch-piece');
  expect(fetched.map(({ signature }) => signature)).toEqual([
    undefined,
    undefined,
    { location: 'https://mirror.example/x.sig', key },
  ]);
});
