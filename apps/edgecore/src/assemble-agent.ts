import { dirname, join } from 'node:path';
import type { EdgecoreConfig, NodeReport } from '@fenestra/contracts';
import type { AccessControl, FileStore, Host, Logger, PodHost } from '@fenestra/platform';
import type { AgentParts } from './agent.ts';
import type { JoinTokenSource } from './certificates/certificate-keeper.ts';
import { joinTokenSource } from './certificates/join-token-source.ts';
import { edgedModule } from './edged/edged-module.ts';
import { edgeHubModule } from './hub/edge-hub-module.ts';
import { podsReport } from './edged/pods-report.ts';
import { HubLink } from './hub/hub-link.ts';
import { metaManagerModule } from './meta/meta-manager.ts';
import { createNodeMemory } from './meta/node-memory.ts';
import { metaServerModule } from './metaserver/meta-server.ts';
import { kubeletVersionOf } from './node/node-status.ts';
import { machineReader } from './node/machine.ts';
import { edgedStates } from './node/node-conditions.ts';
import { nodeModule } from './node/node-module.ts';

/** What the modules of the agent share. */
export interface SharedServices {
  readonly configFile: string;
  readonly version: string;
  readonly host: Host;
  readonly podHost: PodHost;
  readonly access: Pick<AccessControl, 'exposures'>;
  readonly files: FileStore;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Logger;
}

const BOOTSTRAP_FILE = 'bootstrap-edgecore.conf';

/** Creates the modules in start order: the hub is last, so that its messages have listeners. */
export function assembleAgent(
  services: SharedServices,
  present: () => EdgecoreConfig | undefined,
  onChange: () => void,
): AgentParts {
  const { version, host, podHost, access, files, now, random, log } = services;
  const hub = new HubLink(log);
  const memoryHost = createNodeMemory(hub, now);
  const { memory } = memoryHost;
  let problem: unknown;
  const onProblem = (next: unknown): void => {
    problem = next;
    onChange();
  };
  let node: NodeReport | undefined;
  const onReport = (next: NodeReport): void => {
    node = next;
    onChange();
  };
  hub.onConnected(onChange);
  hub.onDisconnected(onChange);
  const kubelet = kubeletVersionOf(version);
  const readMachine = machineReader(host, now);
  const token = tokenSource(services, present);
  const edged = edgedStates();
  const pods = podsReport(now, onChange);
  return {
    definitions: [
      metaManagerModule({ hub, memory: memoryHost, now, random }),
      metaServerModule({ memory, kubeletVersion: kubelet }),
      nodeModule({ hub, memory, readMachine, kubeletVersion: kubelet, now, random, onReport, edged }),
      edgedModule({ hub, memory, host, podHost, files, access, now, random, states: edged, pods }),
      edgeHubModule({ link: hub, files, now, random, token, onProblem }),
    ],
    connected: () => hub.connected,
    problem: () => problem,
    node: () => node,
    pods: () => pods.present(),
  };
}

function tokenSource(
  { configFile, files, log }: SharedServices,
  present: () => EdgecoreConfig | undefined,
): JoinTokenSource {
  return joinTokenSource({
    // The configuration lies in its own folder below the one that holds the token: /etc/kubeedge/config.
    bootstrapFile: join(dirname(dirname(configFile)), BOOTSTRAP_FILE),
    configFile,
    configToken: () => present()?.modules.edgeHub.token ?? '',
    files,
    log,
  });
}
