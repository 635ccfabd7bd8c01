import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgecoreDefaults, type EdgecoreConfig } from '@fenestra/contracts';
import { jsonLogger } from '@fenestra/platform';
import { posixFileStore } from '@fenestra/platform-linux';
import { joinTokenSource } from '../certificates/join-token-source.ts';
import { edgeHubModule } from '../hub/edge-hub-module.ts';
import { HubLink } from '../hub/hub-link.ts';
import type { AgentModule } from '../modules/agent-module.ts';
import type { TestCloud } from './test-cloud.ts';

/** What a test may decide about its node. */
export interface NodeOptions {
  readonly nodeName?: string;
  readonly folder?: string;
  readonly now?: () => Date;
  readonly heartbeatSeconds?: number;
  /** Changes the configuration, such as the address of the hub. */
  readonly change?: (hub: EdgecoreConfig['modules']['edgeHub']) => Partial<EdgecoreConfig['modules']['edgeHub']>;
}

/** A node's hub module in its own folder. */
export interface TestNode {
  readonly folder: string;
  readonly module: AgentModule;
  readonly hub: HubLink;
  /** What keeps it from the cloud. */
  problem(): unknown;
  /** Everything it logged. */
  readonly log: string[];
  readonly configFile: string;
}

/** Makes the node, to be started by the test. It tries again every few milliseconds. */
export function testNode(cloud: TestCloud, token: string, options: NodeOptions = {}): TestNode {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'node-'));
  const configFile = join(folder, 'edgecore.yaml');
  const config = configFor(cloud, token, folder, options);
  writeFileSync(configFile, `# keep me\nmodules:\n  edgeHub:\n    token: ${token}\n`);
  const lines: string[] = [];
  const now = options.now ?? (() => new Date());
  const log = jsonLogger((line) => lines.push(line), 'debug', now);
  const link = new HubLink(log);
  const files = posixFileStore();
  let problem: unknown;
  const definition = edgeHubModule({
    link,
    files,
    now,
    random: Math.random,
    token: joinTokenSource({
      bootstrapFile: join(folder, 'bootstrap-edgecore.conf'),
      configFile,
      configToken: () => token,
      files,
      log,
    }),
    onProblem: (next) => (problem = next),
    reconnects: { firstMs: 20, capMs: 100, healthyAfterMs: 1000 },
  });
  const module = definition.create(config, { log, fail: (cause) => (problem = cause) });
  return { folder, module, hub: link, problem: () => problem, log: lines, configFile };
}

function configFor(cloud: TestCloud, token: string, folder: string, options: NodeOptions): EdgecoreConfig {
  const defaults = edgecoreDefaults('linux');
  const { edgeHub, edged } = defaults.modules;
  const hub = {
    ...edgeHub,
    token,
    heartbeat: options.heartbeatSeconds ?? 15,
    httpServer: `https://${cloud.server}`,
    websocket: { ...edgeHub.websocket, server: cloud.server },
    tlsCaFile: join(folder, 'ca', 'rootCA.crt'),
    tlsCertFile: join(folder, 'certs', 'server.crt'),
    tlsPrivateKeyFile: join(folder, 'certs', 'server.key'),
  };
  const modules = {
    ...defaults.modules,
    edgeHub: { ...hub, ...options.change?.(hub) },
    edged: { ...edged, hostnameOverride: options.nodeName ?? 'edge-1' },
  };
  return { ...defaults, modules };
}
