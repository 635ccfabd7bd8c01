import { startContainerd } from '../../beds/containerd-bed.ts';
import { freePort } from '../../cloud/free-port.ts';
import { unlimited } from '../../cloud/patience.ts';
import { openRelay } from '../../cloud/relay.ts';
import { windowsMachine } from '../../machines/keadm-machine.ts';
import { makeProgramSource } from './program-source.ts';
import type { Supplies } from './supplies.ts';
import { portOf, type TestCluster } from './worker-cluster.ts';
import { WINDOWS_PATHS } from './worker-paths.ts';
import type { WorkerSite } from './worker-site.ts';

/** A Windows machine and the way from its kubelet to a container runtime. */
export interface WindowsSite extends WorkerSite {
  /** What a kubelet there is told about the runtime. */
  readonly runtimeEndpoint: string;
}

/** Wine has no containers, and with them neither a runtime nor the network service that they need. */
const WAIVED = ['runtime', 'features', 'network-service'];

/** The part of Windows' version that a kubelet looks for and Wine does not have. */
const UPDATE_REVISION = ['HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion', '/v', 'UBR', '/t', 'REG_DWORD'];

/**
 * A Windows machine beside a cluster, which goes with it. It shares this machine's network; the runtime that its kubelet
 * asks is a real containerd of this machine, by TCP, which a kubelet on Windows takes as well as a pipe.
 */
export async function startWindowsSite(cluster: TestCluster, supplies: Supplies): Promise<WindowsSite> {
  const source = await makeProgramSource();
  await supplies.fill(source);
  const containerd = await startContainerd(unlimited());
  const port = await freePort();
  const relay = await openRelay({ port }, { path: containerd.endpoint.replace('unix://', '') });
  const machine = await windowsMachine(unlimited(), { shared: [source.folder] });
  await machine.node.run('reg', ['add', ...UPDATE_REVISION, '/d', '1817', '/f']);
  return {
    runtimeEndpoint: `tcp://127.0.0.1:${port}`,
    cluster,
    machine,
    paths: WINDOWS_PATHS,
    source,
    releases: supplies.releases,
    sparePort: portOf(cluster.endpoint),
    waived: WAIVED,
    setNetwork: async () => undefined,
    async stop() {
      await machine.node.stop();
      await relay.close();
      await containerd.stop();
      await cluster.stop();
      await source.remove();
    },
  };
}
