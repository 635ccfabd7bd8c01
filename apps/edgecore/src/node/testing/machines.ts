import type { HostFacts } from '@fenestra/platform';
import type { Machine } from '../machine.ts';

const GIBIBYTE = 2 ** 30;

const facts: HostFacts = {
  os: 'linux',
  osName: 'Debian GNU/Linux 12 (bookworm)',
  osVersion: '12',
  build: '6.1.0-18-amd64',
  edition: 'debian',
  arch: 'x64',
  hostName: 'Edge-1',
  totalMemoryBytes: 8 * GIBIBYTE,
  freeMemoryBytes: 4 * GIBIBYTE,
  bootId: 'b0075eed-0000-4000-8000-000000000000',
  elevated: true,
  serviceManager: 'systemd',
  runtimes: [],
  clock: { now: new Date('2026-01-02T03:04:05.678Z'), synchronized: true },
};

/** A Linux machine without a container runtime. */
export const LINUX_MACHINE: Machine = {
  facts,
  runtime: undefined,
  disk: { path: '/var/lib/kubelet', totalBytes: 100 * GIBIBYTE, freeBytes: 60 * GIBIBYTE },
  cpuCount: 4,
  address: '192.0.2.10',
};

/** A Windows machine with containerd. */
export const WINDOWS_MACHINE: Machine = {
  ...LINUX_MACHINE,
  runtime: 'containerd://1.7.24',
  facts: {
    ...facts,
    os: 'windows',
    osName: 'Windows Server 2022 Datacenter',
    osVersion: '10.0.20348',
    build: '20348',
    edition: 'Datacenter',
    serviceManager: 'scm',
    runtimes: [{ runtime: 'containerd', endpoint: 'npipe:////./pipe/containerd-containerd' }],
  },
};
