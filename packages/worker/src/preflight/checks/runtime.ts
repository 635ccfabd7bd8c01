import { pass, type Finding } from '@fenestra/session';
import { runtimeUnusable } from '../runtime-unusable.ts';
import { failedBy, type Check } from '../check.ts';
import type { PreflightFacts } from '../preflight-facts.ts';

/** Whether the container runtime answers. A network for pods may be missing: it comes with a plugin after the join. */
export const runtime: Check = {
  name: 'runtime',
  judge: (facts) => (facts.runtime.usable ? usable(facts) : failedBy(runtimeUnusable(facts.runtime, remedy(facts)))),
};

function usable({ runtime: { endpoint, version, problem } }: PreflightFacts): Finding {
  const network = problem === undefined ? '' : '; pods have no network until a network plugin is installed';
  return pass(`${version ?? 'A container runtime'} at ${endpoint}${network}`);
}

/** What exactly is missing, from the service to the pipe. */
function remedy({ worker, runtime: { endpoint, remedy: known } }: PreflightFacts): string {
  if (worker.os === 'windows' && worker.containerdService === 'absent')
    return 'containerd is not registered as a service: install it, then run "containerd --register-service" and start it.';
  if (worker.os === 'windows' && worker.containerdService !== 'running')
    return `The service "containerd" is ${worker.containerdService}: start it with "sc.exe start containerd".`;
  return `${known ?? 'Install containerd and start it.'} If it listens elsewhere than at "${endpoint}", name that with "--cri-socket".`;
}
