import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import { certificateKeeper, type JoinTokenSource } from '../certificates/certificate-keeper.ts';
import { type BackoffPolicy, createAlarm } from '../modules/waiting.ts';
import type { AgentModule, ModuleContext, ModuleDefinition, ModuleHealth } from '../modules/agent-module.ts';
import { describeFailure } from '../modules/describe-failure.ts';
import { type HubLink, listeners, type Listeners } from './hub-link.ts';
import { hubSettings, type HubPace, type HubSettings, type HubTarget } from './hub-settings.ts';
import { keepConnected, type KeepConnectedOptions } from './keep-connected.ts';

/** What the hub's module needs from the agent. */
export interface EdgeHubServices {
  readonly link: HubLink;
  readonly files: FileStore;
  readonly now: () => Date;
  readonly random: () => number;
  readonly token: JoinTokenSource;
  /** Called with what keeps the node from the cloud, and `undefined` once nothing does. */
  readonly onProblem: (problem: unknown) => void;
  readonly reconnects?: BackoffPolicy;
}

/** The module that connects the node to its cloud. It runs without a cloud, too, and tries for ever. */
export function edgeHubModule(services: EdgeHubServices): ModuleDefinition {
  return {
    name: 'edgeHub',
    enabled: (config) => config.modules.edgeHub.enable,
    // A token is not a part of it: it is read when it is needed, and blanked when it was used.
    part: hubSettings,
    create: (config, context) => createModule(services, hubSettings(config), context),
  };
}

function createModule(services: EdgeHubServices, settings: HubSettings, context: ModuleContext): AgentModule {
  const { target } = settings;
  const stopping = new AbortController();
  const retryNow = createAlarm();
  const paced: Listeners<[HubPace]> = listeners(context.log);
  let { pace } = settings;
  let problem: unknown;
  let connecting: Promise<void> = Promise.resolve();
  const onProblem = (next: unknown): void => {
    // A module that was stopped may still be ending its connection; what it meets says nothing about its successor.
    if (stopping.signal.aborted) return;
    problem = next;
    services.onProblem(next);
  };
  return {
    name: 'edgeHub',
    async start() {
      refuseQuic(target);
      const options = {
        ...connectOptions(services, target, context),
        pace: () => pace,
        onPace: (listener: (next: HubPace) => void) => paced.add(listener),
        onProblem,
        retryNow,
      };
      connecting = keepConnected(options, stopping.signal).catch((cause: unknown) => context.fail(cause));
    },
    async stop() {
      stopping.abort();
      await connecting;
    },
    async reload(config) {
      const next = hubSettings(config);
      if (!isDeepStrictEqual(next.target, target)) return 'restart';
      pace = next.pace;
      paced.call(pace);
      return 'reloaded';
    },
    tryAgain() {
      if (!services.link.connected) retryNow.ring();
    },
    health: () => healthOf(services.link.connected, problem),
  };
}

function connectOptions(
  { link, files, now, random, token, reconnects }: EdgeHubServices,
  { server, nodeName, projectId, httpServer, paths }: HubTarget,
  { log }: ModuleContext,
): Omit<KeepConnectedOptions, 'pace' | 'onProblem'> {
  return {
    link,
    keeper: certificateKeeper({ nodeName, server: httpServer, paths, files, token, now, log }),
    connection: { server, nodeName, projectId, log },
    now,
    random,
    log,
    ...(reconnects === undefined ? {} : { reconnects }),
  };
}

function refuseQuic({ webSocket }: HubTarget): void {
  if (webSocket) return;
  throw new OperatorError('NOT_SUPPORTED', 'Cannot connect to the cloud: "modules.edgeHub.websocket" is not enabled', {
    hint: 'Set "modules.edgeHub.websocket.enable" to true: QUIC is not there.',
  });
}

function healthOf(connected: boolean, problem: unknown): ModuleHealth {
  if (connected) return { state: 'healthy' };
  return { state: 'degraded', reason: problem === undefined ? 'connecting' : describeFailure(problem).message };
}
