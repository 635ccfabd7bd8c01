import type { EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import { certificateKeeper, type JoinTokenSource } from '../certificates/certificate-keeper.ts';
import { createAlarm } from '../meta/alarm.ts';
import type { AgentModule, ModuleContext, ModuleDefinition, ModuleHealth } from '../modules/agent-module.ts';
import type { BackoffPolicy } from '../modules/backoff.ts';
import { describeFailure } from '../modules/describe-failure.ts';
import type { HubLink } from './hub-link.ts';
import { keepConnected, type KeepConnectedOptions } from './keep-connected.ts';

/** What the hub's module needs from the agent. */
export interface EdgeHubServices {
  readonly link: HubLink;
  readonly files: FileStore;
  readonly now: () => Date;
  readonly random: () => number;
  readonly token: JoinTokenSource;
  /** Told what keeps the node from the cloud, and `undefined` once nothing does. */
  readonly onProblem: (problem: unknown) => void;
  readonly reconnects?: BackoffPolicy;
}

const SECOND = 1000;

/** The module that connects the node to its cloud. It runs without a cloud, too, and tries for ever. */
export function edgeHubModule(services: EdgeHubServices): ModuleDefinition {
  return {
    name: 'edgeHub',
    enabled: (config) => config.modules.edgeHub.enable,
    part: ({ modules }) => {
      // A token is read when it is needed, and blanked when it was used: no reason to connect anew.
      const { token: _, ...hub } = modules.edgeHub;
      return { hub, nodeName: modules.edged.hostnameOverride };
    },
    create: (config, context) => createModule(services, config, context),
  };
}

function createModule(services: EdgeHubServices, config: EdgecoreConfig, context: ModuleContext): AgentModule {
  const stopping = new AbortController();
  const hurry = createAlarm();
  let problem: unknown;
  let connecting: Promise<void> = Promise.resolve();
  const onProblem = (next: unknown): void => {
    problem = next;
    services.onProblem(next);
  };
  return {
    name: 'edgeHub',
    async start() {
      refuseQuic(config);
      const options = { ...connectOptions(services, config, context, onProblem), hurry };
      connecting = keepConnected(options, stopping.signal).catch((cause: unknown) => context.fail(cause));
    },
    async stop() {
      stopping.abort();
      await connecting;
    },
    tryAgain() {
      if (!services.link.connected) hurry.ring();
    },
    health: () => healthOf(services.link.connected, problem),
  };
}

function connectOptions(
  { link, files, now, random, token, reconnects }: EdgeHubServices,
  config: EdgecoreConfig,
  { log }: ModuleContext,
  onProblem: (problem: unknown) => void,
): KeepConnectedOptions {
  const { edgeHub, edged } = config.modules;
  const nodeName = edged.hostnameOverride;
  const paths = {
    caFile: edgeHub.tlsCaFile,
    certificateFile: edgeHub.tlsCertFile,
    keyFile: edgeHub.tlsPrivateKeyFile,
  };
  return {
    link,
    keeper: certificateKeeper({ nodeName, server: edgeHub.httpServer, paths, files, token, now, log }),
    connection: {
      server: edgeHub.websocket.server,
      nodeName,
      projectId: edgeHub.projectID,
      handshakeTimeoutMs: edgeHub.websocket.handshakeTimeout * SECOND,
      writeDeadlineMs: edgeHub.websocket.writeDeadline * SECOND,
      heartbeatMs: edgeHub.heartbeat * SECOND,
      messagesPerSecond: edgeHub.messageQPS,
      messageBurst: edgeHub.messageBurst,
      log,
    },
    rotate: edgeHub.rotateCertificates,
    now,
    random,
    log,
    onProblem,
    ...(reconnects === undefined ? {} : { reconnects }),
  };
}

function refuseQuic({ modules }: EdgecoreConfig): void {
  if (modules.edgeHub.websocket.enable) return;
  throw new OperatorError('NOT_SUPPORTED', 'Cannot connect to the cloud: "modules.edgeHub.websocket" is not enabled', {
    hint: 'Set "modules.edgeHub.websocket.enable" to true: QUIC is not there.',
  });
}

function healthOf(connected: boolean, problem: unknown): ModuleHealth {
  if (connected) return { state: 'healthy' };
  return { state: 'degraded', reason: problem === undefined ? 'connecting' : describeFailure(problem).message };
}
