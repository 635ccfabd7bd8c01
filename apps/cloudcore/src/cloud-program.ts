import type { CloudcoreConfig } from '@fenestra/contracts';
import { openKubeApi, type KubeApiSource } from '@fenestra/kube-api';
import type { FileStore, Logger, ServiceProgram } from '@fenestra/platform';
import { type ConfigFile, restartNeeded } from './config-file.ts';
import type { CloudcoreFlags } from './flags.ts';
import type { OpenThread } from './embedded-api/run-thread.ts';
import { startEmbeddedApi, type EmbeddedApi } from './embedded-api/start-embedded-api.ts';
import { type Conditions, startMonitorServer } from './monitor-server.ts';
import { addMetrics, eventLoopMeasures, processMetrics } from './metrics/cloud-metrics.ts';
import { loopDelays, watchEventLoop } from './metrics/event-loop.ts';
import { startCloud, type Cloud } from './start-cloud.ts';

/** What the program is made with. */
export interface CloudProgramOptions {
  readonly flags: Pick<CloudcoreFlags, 'embedded' | 'projects'>;
  readonly configFile: ConfigFile;
  readonly files: Pick<FileStore, 'replace'>;
  readonly log: Logger;
  readonly now: () => Date;
  readonly openThread: OpenThread;
}

/** Undoes one thing that was started. */
type Closing = (signal: AbortSignal) => Promise<void> | void;

const RELOAD_TIME_MS = 60_000;
const STOP_TIME_MS = 20_000;

/** The cloud as a service: starts, reloads what can be reloaded, stops in the reverse order of starting. */
export function cloudProgram(options: CloudProgramOptions): ServiceProgram {
  const { configFile, log } = options;
  const closings: Closing[] = [];
  let started: CloudcoreConfig | undefined;
  let config: CloudcoreConfig | undefined;
  const parts: Parts = {};
  return {
    async start(signal) {
      const first = await configFile.read();
      [started, config] = [first, first];
      try {
        await startMonitor(options, first, parts, closings);
        parts.embedded = await openEmbedded(options, first, closings, signal);
        const api = await openKubeApi(parts.embedded?.source ?? sourceOf(first));
        closings.push(() => api.close());
        const { projects } = options.flags;
        const running = await startCloud({ ...options, api, projects, config: () => config ?? first }, signal);
        closings.push(async (during) => running.stop(during));
        parts.cloud = running;
        log.info('The cloud is up');
      } catch (error) {
        await closeAll(closings);
        throw error;
      }
    },
    async reload() {
      const next = await configFile.read();
      const before = config;
      config = next;
      try {
        await parts.cloud?.takeUpConfig(AbortSignal.timeout(RELOAD_TIME_MS));
      } catch (error) {
        config = before;
        throw error;
      }
      const waiting = started === undefined ? [] : restartNeeded(started, next);
      log.info('Reloaded the configuration', { needsRestart: waiting.join(', ') });
    },
    stop: async () => closeAll(closings),
  };
}

/** What runs so far. */
interface Parts {
  embedded?: EmbeddedApi | undefined;
  cloud?: Cloud;
}

/** Listens before anything else works, so that a waiting cloud can say that it waits. */
async function startMonitor(
  { log }: CloudProgramOptions,
  { commonConfig }: CloudcoreConfig,
  parts: Parts,
  closings: Closing[],
): Promise<void> {
  const registry = processMetrics();
  const delays = loopDelays('cloudcore', log);
  closings.push(watchEventLoop((milliseconds) => delays.add(milliseconds)));
  addMetrics(
    registry,
    eventLoopMeasures(() => delays.longestSeconds()),
  );
  const measured = new Set<Cloud | EmbeddedApi>();
  const present = () => {
    for (const part of [parts.embedded, parts.cloud]) {
      if (part === undefined || measured.has(part)) continue;
      addMetrics(registry, part.measures);
      measured.add(part);
    }
    return registry;
  };
  const monitor = await startMonitorServer({
    bindAddress: commonConfig.monitorServer.bindAddress,
    conditions: () => conditions(parts),
    metrics: async () => present().metrics(),
    metricsType: registry.contentType,
    log,
  });
  closings.push(async () => monitor.close());
}

function conditions({ embedded, cloud }: Parts): Conditions {
  const api = embedded ? { embeddedApi: () => embedded.isRunning() } : {};
  return { ...api, cloud: () => cloud !== undefined, ...cloud?.conditions };
}

async function openEmbedded(
  { flags, files, log, openThread }: CloudProgramOptions,
  config: CloudcoreConfig,
  closings: Closing[],
  signal: AbortSignal,
): Promise<EmbeddedApi | undefined> {
  if (flags.embedded === undefined) return undefined;
  const names = config.modules.cloudHub.advertiseAddress;
  const embedded = await startEmbeddedApi({ embedded: flags.embedded, names, files, log, openThread }, signal);
  closings.push(async () => embedded.close());
  return embedded;
}

/** Upstream's rule: a kubeconfig, else a bare address, else the pod this runs in. */
function sourceOf({ kubeAPIConfig: { kubeConfig, master } }: CloudcoreConfig): KubeApiSource {
  if (kubeConfig !== '') return { kubeconfigFile: kubeConfig };
  if (master === '') return { inCluster: true };
  const cluster = { name: 'master', cluster: { server: master } };
  const context = { name: 'master', context: { cluster: 'master', user: 'anonymous' } };
  const users = [{ name: 'anonymous', user: {} }];
  return {
    kubeconfig: JSON.stringify({ clusters: [cluster], contexts: [context], users, 'current-context': 'master' }),
  };
}

async function closeAll(closings: Closing[]): Promise<void> {
  const signal = AbortSignal.timeout(STOP_TIME_MS);
  for (const close of closings.splice(0).toReversed()) await close(signal);
}
