import type { ServiceSpec } from '@fenestra/platform';
import type { ProgramSource } from '@fenestra/releases';
import { kubeletService } from '../kubelet/kubelet-service.ts';
import { KUBELET_RULE, type PrepareFacts } from '../prepare/gather-prepare-facts.ts';
import { BLANK_RECORD } from '../worker-record.ts';
import { testLinuxFacts, testNodeLayout, testWorkerLayout } from './test-worker.ts';

/** A kubelet as it is published. */
export const testSource: ProgramSource = {
  name: 'kubelet',
  origin: '/media/kubernetes',
  version: 'v1.33.1',
  target: { os: 'linux', arch: 'x64' },
  location: '/media/kubernetes/kubelet',
  size: 1,
  digest: { algorithm: 'sha256', hex: 'new' },
};

/** The kubelet's service as keadm registers it. */
const testSpec: ServiceSpec = kubeletService({
  layout: testWorkerLayout,
  facts: testLinuxFacts,
  root: undefined,
});

/** A machine that nothing was done to. */
export const bareMachine: PrepareFacts = {
  layout: testWorkerLayout,
  node: testNodeLayout,
  programs: [{ source: testSource, to: testWorkerLayout.kubelet, inPlace: false, replacedSha256: undefined }],
  host: { path: '/keadm', sha256: 'keadm', installedSha256: undefined },
  missingFolders: ['/etc/kubernetes'],
  spec: testSpec,
  service: { state: 'absent' },
  registered: false,
  firewall: KUBELET_RULE,
  record: { ...BLANK_RECORD, folders: ['/etc/kubernetes'] },
  recorded: false,
  replacedRecordSha256: undefined,
};

/** A machine with all that a worker needs but a cluster. */
export const preparedMachine: PrepareFacts = {
  ...bareMachine,
  programs: bareMachine.programs.map((program) => ({ ...program, inPlace: true, replacedSha256: 'new' })),
  host: { ...bareMachine.host, installedSha256: 'keadm' },
  missingFolders: [],
  service: { state: 'stopped' },
  registered: true,
  firewall: undefined,
  recorded: true,
  replacedRecordSha256: 'record',
};
