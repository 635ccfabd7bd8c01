import { CLOUD_NAMESPACE, type CloudcoreConfig } from '@fenestra/contracts';
import { currentServerCertificate, keepCertificateFresh } from './certificates/fresh-server-certificate.ts';
import { kubernetesSecrets } from './certificates/kubernetes-secrets.ts';
import { openCa } from './certificates/open-ca.ts';
import type { CloudBase, CloudOptions } from './cloud-base.ts';
import { startControllers, type Controllers } from './controllers/start-controllers.ts';
import type { Conditions } from './health/readiness.ts';
import { defaultLimits } from './hub/hub-limits.ts';
import { openHub, type Hub } from './hub/hub.ts';
import { WINDOW } from './hub/window-state.ts';
import type { Measured } from './metrics/cloud-metrics.ts';
import { certificateMeasures, controllerMeasures, hubMeasures } from './metrics/measures.ts';
import { startServers } from './server/start-servers.ts';
import { keepToken, type TokenKeeper } from './token/token-keeper.ts';
import { whenReachable } from './when-reachable.ts';

/** A cloud that serves nodes. */
export interface Cloud {
  readonly conditions: Conditions;
  readonly measures: Readonly<Record<string, Measured>>;
  /** Takes up what a changed configuration says and can be changed while running. */
  takeUpConfig(signal: AbortSignal): Promise<void>;
  /** Sends the nodes away and ends everything. */
  stop(signal: AbortSignal): Promise<void>;
}

/** Starts everything that serves nodes. It waits for the Kubernetes API to answer, until the signal aborts. */
export async function startCloud(options: CloudOptions, signal: AbortSignal): Promise<Cloud> {
  const { api, log, now, config } = options;
  const store = kubernetesSecrets(api, CLOUD_NAMESPACE);
  const files = caFiles(config());
  const authority = await whenReachable(async () => openCa(store, files, now(), signal), log, signal);
  const base = { ...options, store, authority, life: new AbortController() };
  const certificate = await whenReachable(async () => currentServerCertificate(base, signal), log, signal);
  const hub = startHub(base);
  const counts = { issued: 0, refused: 0 };
  const controllers = startControllers({ api, sessions: hub.sessions, log, ...advertised(config()) }, base.life.signal);
  const token = startToken(base);
  const servers = await startServers(base, { hub, certificate, counts }).catch(async (error: unknown) => {
    base.life.abort();
    await hub.close(AbortSignal.abort());
    throw error;
  });
  const renewal = keepCertificateFresh(base, servers, certificate);
  return {
    conditions: conditions(controllers, token),
    measures: {
      ...hubMeasures(hub),
      ...certificateMeasures(counts, () => token.expiresAt),
      ...controllerMeasures(() => controllers.figures()),
    },
    async takeUpConfig(during) {
      hub.limits.silenceMs = config().modules.cloudHub.keepaliveInterval * 1_000;
      await renewal.renew(during);
    },
    async stop(during) {
      renewal.stop();
      for (const server of servers) server.stopListening();
      await hub.close(during);
      base.life.abort();
      await Promise.all([controllers.stopped, token.stopped, ...servers.map(async (server) => server.close())]);
    },
  };
}

function caFiles({ modules }: CloudcoreConfig) {
  return { certificate: modules.cloudHub.tlsCAFile, key: modules.cloudHub.tlsCAKeyFile };
}

function advertised({ modules }: CloudcoreConfig): { advertiseAddress?: string } {
  const [advertiseAddress] = modules.cloudHub.advertiseAddress;
  return advertiseAddress === undefined ? {} : { advertiseAddress };
}

function startHub({ config, log }: CloudBase): Hub {
  const silenceMs = config().modules.cloudHub.keepaliveInterval * 1_000;
  const limits = { ...defaultLimits(), silenceMs };
  return openHub({ limits, window: WINDOW, log: log.with({ module: 'hub' }), now: () => performance.now() });
}

function startToken({ authority, store, log, now, config, life }: CloudBase): TokenKeeper {
  const refreshHours = (): number => config().modules.cloudHub.tokenRefreshDuration;
  return keepToken({ authority, store, log: log.with({ module: 'token' }), now, refreshHours }, life.signal);
}

function conditions(controllers: Controllers, token: TokenKeeper): Conditions {
  return { controllers: () => controllers.ready, token: () => token.expiresAt !== undefined };
}
