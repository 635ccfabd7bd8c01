import type { ServiceSpec, ServiceStatus } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { cloudbaseConf } from '../provision/cloudbase.ts';
import { containerdService } from '../provision/containerd.ts';
import { TEST_WORKER, testFacts, WORKER_IMAGE } from '../testing/image-facts.ts';
import type { ImageState } from './image-state.ts';
import { IMAGE_CHECKS, verifyImage } from './verify-image.ts';

const fresh = testFacts(WORKER_IMAGE);
const { layout } = fresh;

/** A machine that is the wanted image. */
const sound: ImageState = {
  config: fresh.config,
  layout,
  worker: TEST_WORKER,
  facts: {
    ...fresh,
    containerdInPlace: true,
    containerdConfig: { ...fresh.containerdConfig, isCurrent: true },
    containerdService: { ...fresh.containerdService, isRegistered: true },
    missingFolders: [],
    cloudbaseInPlace: true,
    cloudbaseTexts: fresh.cloudbaseTexts.map((text) => ({ ...text, isCurrent: true })),
    copies: fresh.copies.map((copy) => ({ ...copy, installedSha256: copy.sha256 })),
    registry: [],
    searchFolders: [],
    provenance: { ...fresh.provenance, isCurrent: true },
  },
  provenance: {
    form: 1,
    keadm: { version: '1.2.3', commit: 'abc' },
    madeAt: '2026-01-01T00:00:00.000Z',
    system: '2022',
    platform: 'azure',
    role: 'worker',
    features: ['Containers'],
    pieces: [],
    labels: {},
  },
  containerd: { spec: containerdService(layout), status: { state: 'running' } },
  containerdVersion: 'v2.1.4',
  kubelet: found({ executable: TEST_WORKER.hostExecutable.toUpperCase(), dependencies: ['containerd'] }),
  cloudbase: found({ startType: 'manual' }, { state: 'stopped' }),
  cloudbaseConf: cloudbaseConf({ platform: 'azure', folder: layout.cloudbaseFolder }),
  programs: [{ name: 'kubelet', path: 'C:\\k\\kubelet.exe', wantedSha256: 'aa', sha256: 'aa' }],
  build: 20_348,
  hasContainers: true,
  rules: [{ rule: { name: 'r', description: '', protocol: 'tcp', port: 1 }, state: 'open' }],
  remoteServices: [
    { name: 'WinRM', startType: 'disabled' },
    { name: 'sshd', startType: undefined },
  ],
  rights: [{ path: 'C:\\k', problems: [] }],
  secrets: [],
  autoLogon: [],
  leftovers: [],
};

function found(
  spec: Partial<ServiceSpec>,
  status: ServiceStatus = { state: 'stopped' },
): { spec: ServiceSpec; status: ServiceStatus } {
  return { spec: { ...containerdService(layout), ...spec }, status };
}

function failures(state: Partial<ImageState>): readonly string[] {
  return verifyImage({ ...sound, ...state }, [])
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ name, reason }) => `${name}: ${reason}`);
}

test('an image that has everything passes', () => {
  expect(failures({})).toEqual([]);
});

test.each<[string, Partial<ImageState>]>([
  ['containerd: Differs in containerd: its programs', { facts: { ...sound.facts, containerdInPlace: false } }],
  ['containerd-version: containerd reports version v1.7.27, but should be 2.1.4', { containerdVersion: 'v1.7.27' }],
  ['containerd-version: containerd does not report its version, but should be 2.1.4', { containerdVersion: undefined }],
  ['folders: Not there: "C:\\run\\kubeadm"', { facts: { ...sound.facts, missingFolders: ['C:\\run\\kubeadm'] } }],
  [
    'registry: Differs: HKLM\\SOFTWARE\\a\\b',
    { facts: { ...sound.facts, registry: [{ key: 'SOFTWARE\\a', name: 'b', value: 1 }] } },
  ],
  ['search-path: Not in the search path: C:\\k', { facts: { ...sound.facts, searchFolders: ['C:\\k'] } }],
  [
    'remote-access: "sshd" would start on every machine made from the image, and accept the build password',
    { remoteServices: [{ name: 'sshd', startType: 'automatic-delayed' }] },
  ],
  ['os-version: Windows Server 2022 is build 20348, but this one is 17763', { build: 17_763 }],
  ['container-runtime: containerd is stopped', { containerd: { ...sound.containerd, status: { state: 'stopped' } } }],
  ['kubernetes: There is no kubelet service', { kubelet: { spec: undefined, status: { state: 'absent' } } }],
  [
    "kubernetes: The kubelet's service does not wait for containerd",
    { kubelet: found({ executable: TEST_WORKER.hostExecutable }) },
  ],
  [
    'kubernetes: The kubelet\'s service runs "C:\\k\\kubelet.exe", which ignores "kubeadm-flags.env"',
    { kubelet: found({ executable: 'C:\\k\\kubelet.exe' }) },
  ],
  [
    'kubernetes: Not the expected programs: C:\\k\\kubelet.exe',
    { programs: sound.programs.map((program) => ({ ...program, sha256: 'bb' })) },
  ],
  [
    'keadm: Not this keadm\'s: "C:\\k\\keadm.exe"',
    { facts: { ...sound.facts, copies: sound.facts.copies.map((copy) => ({ ...copy, installedSha256: 'old' })) } },
  ],
  [
    'cloudbase-init: cloudbase-init processes user-data before it sets the host name',
    { cloudbaseConf: 'plugins=a.UserDataPlugin,b.SetHostNamePlugin' },
  ],
  ['cloudbase-init: cloudbase-init starts automatic, during the first set-up', { cloudbase: found({}) }],
  ['features: The feature "Containers" is off', { hasContainers: false }],
  ['firewall: Closed: r', { rules: sound.rules.map(({ rule }) => ({ rule, state: 'closed' })) }],
  [
    'rights: Others may touch "C:\\k" (everybody may write)',
    { rights: [{ path: 'C:\\k', problems: ['everybody may write'] }] },
  ],
  ['provenance: The image has no provenance record', { provenance: undefined }],
  ['secrets: "C:\\x" holds a private key', { secrets: [{ path: 'C:\\x', kinds: ['a private key'] }] }],
  ['auto-logon: Winlogon has DefaultPassword', { autoLogon: ['DefaultPassword'] }],
])('%s', (failure, state) => {
  expect(failures(state)).toEqual([failure]);
});

test('leftovers of the build are a warning, and unknown facts are skipped', () => {
  const findings = verifyImage(
    { ...sound, leftovers: ['C:\\var\\lib\\fenestra\\image-pieces'], hasContainers: undefined },
    [],
  );
  expect(findings.find(({ name }) => name === 'leftovers')?.verdict).toBe('warn');
  expect(findings.find(({ name }) => name === 'features')?.verdict).toBe('skip');
});

test('a check that is waived is not made', () => {
  expect(verifyImage({ ...sound, hasContainers: false }, ['features']).map(({ name }) => name)).toEqual(
    IMAGE_CHECKS.map(({ name }) => name).filter((name) => name !== 'features'),
  );
});
