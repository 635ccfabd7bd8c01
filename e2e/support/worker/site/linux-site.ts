import { startLinuxWorker } from '../../beds/linux-worker-bed.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { unlimited } from '../../cloud/patience.ts';
import { linuxMachine } from '../../machines/keadm-machine.ts';
import { withDoors } from './doors-through-boots.ts';
import { makeProgramSource } from './program-source.ts';
import type { Supplies } from './supplies.ts';
import { portOf, type TestCluster } from './worker-cluster.ts';
import { LINUX_PATHS } from './worker-paths.ts';
import type { WorkerSite } from './worker-site.ts';

/** A Linux machine with systemd and containerd beside a cluster, which goes with it. */
export async function startLinuxSite(cluster: TestCluster, supplies: Supplies): Promise<WorkerSite> {
  const source = await makeProgramSource();
  await supplies.fill(source);
  const worker = await startLinuxWorker({ shared: [source.folder] }, unlimited());
  const sparePort = await freePort();
  const node = await withDoors(worker, [portOf(cluster.endpoint), sparePort]);
  return {
    cluster,
    machine: await linuxMachine('Linux with systemd and containerd', node, true),
    paths: LINUX_PATHS,
    source,
    releases: supplies.releases,
    sparePort,
    waived: [],
    setNetwork: async (present) => (present ? worker.addNetwork() : worker.removeNetwork()),
    async stop() {
      await node.stop();
      await cluster.stop();
      await source.remove();
    },
  };
}
