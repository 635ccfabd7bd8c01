import type { ServiceState, WindowsWorkerFacts } from '@fenestra/platform';
import { driveOf, systemDrive } from '../bindings/kernel32.ts';
import { readVersion } from '../host/version.ts';
import type { Native } from '../native.ts';
import { readNumber } from '../registry/registry.ts';
import { SERVICE_ACCESS, withService } from '../services/scm.ts';
import { queryStatus, toState } from '../services/service-status.ts';

const NETWORK_SERVICE = 'hns';
const COMPUTE_SERVICE = 'vmcompute';
const CONTAINERD_SERVICE = 'containerd';
/** Where Windows Server keeps which of its features are on. */
const FEATURE_KEY = String.raw`SOFTWARE\Microsoft\ServerManager\ServicingStorage\ServerComponentCache\Containers`;
const INSTALLED = 1;

/** Reads what only a kubelet cares about, from the registry and the Service Control Manager. */
export async function readWorkerFacts(native: Native): Promise<WindowsWorkerFacts> {
  return {
    os: 'windows',
    systemDrive: systemDrive(native),
    build: Number.parseInt(readVersion(native).build, 10),
    containersFeature: featureIsOn(
      readNumber(native, FEATURE_KEY, 'InstallState'),
      stateOf(native, COMPUTE_SERVICE) !== 'absent',
    ),
    networkService: stateOf(native, NETWORK_SERVICE),
    containerdService: stateOf(native, CONTAINERD_SERVICE),
    programDrive: driveOf(process.execPath),
  };
}

/**
 * Windows without server features does not say; but without the Host Compute Service, which Hyper-V brings too, there
 * are not containers.
 */
export function featureIsOn(installState: number | undefined, hasComputeService: boolean): boolean | undefined {
  if (installState !== undefined) return installState === INSTALLED;
  return hasComputeService ? undefined : false;
}

function stateOf(native: Native, name: string): ServiceState {
  return (
    withService(native, name, SERVICE_ACCESS.QUERY_STATUS, (service) => toState(queryStatus(native, service))) ??
    'absent'
  );
}
