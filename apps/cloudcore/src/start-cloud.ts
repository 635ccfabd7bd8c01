import { CLOUD_NAMESPACE, type CloudcoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { jitteredBackoff, pause } from '@fenestra/kube-api';
import { kubernetesSecrets } from '@fenestra/lifecycle/cloud';
import type { Logger } from '@fenestra/platform';
import { currentServerCertificate, keepCertificateFresh } from './certificates/fresh-server-certificate.ts';
import { openCa } from './certificates/open-ca.ts';
import { followRevokedNodes } from './certificates/revoked-nodes.ts';
import type { ServerCertificate } from './certificates/server-certificate.ts';
import type { CloudBase, CloudOptions } from './cloud-base.ts';
import { type Controllers, startControllers } from './controllers/start-controllers.ts';
import { defaultLimits } from './hub/hub-limits.ts';
import { Hub } from './hub/hub.ts';
import { WINDOW } from './hub/window-options.ts';
import { certificateMeasures, controllerMeasures, hubMeasures, type Measured } from './metrics/cloud-metrics.ts';
import type { Conditions } from './monitor-server.ts';
import { startServers } from './server/start-servers.ts';
import { keepToken, type TokenKeeper } from './token/token-keeper.ts';

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
  const life = new AbortController();
  const revoked = followRevokedNodes(api, log, life.signal);
  await Promise.race([revoked.whenRead(), aborted(signal)]);
  const base = { ...options, store, authority, revoked, life };
  let certificate = await whenReachable(async () => currentServerCertificate(base, signal), log, signal);
  const hub = startHub(base);
  revoked.onChange(() => hub.endRevoked((node, keyHash) => revoked.isRevoked(node, keyHash)));
  const counts = { issued: 0, refused: 0 };
  const controllers = startControllers({ api, sessions: hub.sessions, log, ...advertised(config()) }, base.life.signal);
  const token = startToken(base);
  const served = { hub, certificate: () => certificate, counts };
  const servers = await startServers(base, served).catch(async (error: unknown) => giveUp(base, hub, error));
  const note = { renew: (renewed: ServerCertificate) => void (certificate = renewed) };
  const renewal = keepCertificateFresh(base, [...servers, note], certificate);
  await haveToken(token, signal);
  return {
    conditions: conditions(controllers, token),
    measures: {
      ...hubMeasures(hub),
      ...certificateMeasures(counts, () => token.expiresAt),
      ...controllerMeasures(() => controllers.figures()),
    },
    async takeUpConfig(during) {
      await renewal.renew(during);
      hub.limits.idleTimeoutMs = config().modules.cloudHub.keepaliveInterval * 1_000;
    },
    async stop(during) {
      renewal.stop();
      for (const server of servers) server.stopListening();
      await hub.close(during);
      await controllers.drain(during);
      base.life.abort();
      await Promise.all([controllers.stopped, token.stopped, ...servers.map(async (server) => server.close())]);
    },
  };
}

/** Rejects when the signal aborts. */
async function aborted(signal: AbortSignal): Promise<never> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (!signal.aborted) await promise;
  throw signal.reason;
}

function caFiles({ modules }: CloudcoreConfig) {
  return { certificate: modules.cloudHub.tlsCAFile, key: modules.cloudHub.tlsCAKeyFile };
}

async function giveUp({ life }: CloudBase, hub: Hub, error: unknown): Promise<never> {
  life.abort();
  await hub.close(AbortSignal.abort());
  throw error;
}

function advertised({ modules }: CloudcoreConfig): { advertiseAddress?: string } {
  const [advertiseAddress] = modules.cloudHub.advertiseAddress;
  return advertiseAddress === undefined ? {} : { advertiseAddress };
}

function startHub({ config, log }: CloudBase): Hub {
  const idleTimeoutMs = config().modules.cloudHub.keepaliveInterval * 1_000;
  const limits = { ...defaultLimits(), idleTimeoutMs };
  return new Hub({ limits, window: WINDOW, log: log.with({ module: 'hub' }), now: () => performance.now() });
}

function startToken({ authority, store, log, now, config, life }: CloudBase): TokenKeeper {
  const refreshHours = (): number => config().modules.cloudHub.tokenRefreshDuration;
  return keepToken({ authority, store, log: log.with({ module: 'token' }), now, refreshHours }, life.signal);
}

const TOKEN_TIME_MS = 30_000;

/** Anyone who waits for the cloud to be up wants to let nodes join; but a token that cannot be stored is not a reason to be down. */
async function haveToken(token: TokenKeeper, signal: AbortSignal): Promise<void> {
  const had = new AbortController();
  await Promise.race([token.stored, pause(TOKEN_TIME_MS, AbortSignal.any([signal, had.signal]))]);
  had.abort();
}

function conditions(controllers: Controllers, token: TokenKeeper): Conditions {
  return { controllers: () => controllers.ready, token: () => token.valid };
}

/** Does something with the Kubernetes API, again and again while the API is away; every other failure is final. */
async function whenReachable<T>(work: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error;
      log.warn('The Kubernetes API does not answer; trying again', { error: String(error), failures: failures + 1 });
      await pause(jitteredBackoff(failures), signal);
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof OperatorError && (error.code === 'API_UNREACHABLE' || error.code === 'API_FAILED');
}
