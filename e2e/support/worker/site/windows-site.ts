import { unlimited } from '../../cloud/patience.ts';
import { windowsMachine } from '../../machines/keadm-machine.ts';
import { makeProgramSource } from './program-source.ts';
import type { Supplies } from './supplies.ts';
import { portOf, type TestCluster } from './worker-cluster.ts';
import { WINDOWS_PATHS } from './worker-paths.ts';
import type { WorkerSite } from './worker-site.ts';

/** Wine has no containers, and with them neither a runtime nor the network service that they need. */
const WAIVED = ['container-runtime', 'features', 'network-service'];

/** A Windows machine beside a cluster, which goes with it. It shares this machine's network. */
export async function startWindowsSite(cluster: TestCluster, supplies: Supplies): Promise<WorkerSite> {
  const source = await makeProgramSource();
  await supplies.fill(source);
  const machine = await windowsMachine(unlimited(), { shared: [source.folder] });
  return {
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
      await cluster.stop();
      await source.remove();
    },
  };
}
