import type { EdgecoreConfig } from '@fenestra/contracts';
import type { AgentKind } from '../node/node-facts.ts';

/** A port that an agent listens on, and the setting that says so. */
export interface AgentPort {
  readonly port: number;
  readonly setting: string;
}

/** The ports an agent with this configuration listens on; upstream's has more modules that do. */
export function agentPorts({ modules }: EdgecoreConfig, kind: AgentKind): readonly AgentPort[] {
  const { metaManager, edged, eventBus, serviceBus } = modules;
  const local = portsIf(
    metaManager.enable && metaManager.metaServer.enable,
    'modules.metaManager.metaServer.server',
    metaManager.metaServer.server,
  );
  if (kind === 'fenestra') return local;
  const { readOnlyPort } = edged.tailoredKubeletConfig;
  return [
    ...local,
    ...portsIf(edged.enable, 'modules.edged.tailoredKubeletConfig.readOnlyPort', `:${readOnlyPort}`),
    ...portsIf(
      eventBus.enable && eventBus.mqttMode !== EXTERNAL_BROKER,
      'modules.eventBus.mqttServerInternal',
      eventBus.mqttServerInternal,
    ),
    ...portsIf(serviceBus.enable, 'modules.serviceBus.port', `:${serviceBus.port}`),
  ];
}

const EXTERNAL_BROKER = 2;

/** Port 0 means that nothing listens. */
function portsIf(enabled: boolean, setting: string, address: string): readonly AgentPort[] {
  const port = Number(/:(\d+)\/?$/.exec(address)?.[1] ?? 0);
  return enabled && port > 0 ? [{ port, setting }] : [];
}
