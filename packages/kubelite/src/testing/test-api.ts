import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@fenestra/platform';
import { startKubelite, type Kubelite } from '../kubelite.ts';
import type { ExtensionContext, Extensions } from '../objects/extensions.ts';
import { SYSTEM_USER } from '../objects/object-service.ts';
import { CONFIG_MAPS, NAMESPACES, PODS, WIDGETS } from './test-kinds.ts';
import { testClient, type TestClient } from './test-client.ts';

/** A running API with a few plain kinds, for tests of everything that is generic. */
export interface TestApi {
  readonly kubelite: Kubelite;
  readonly folder: string;
  readonly context: ExtensionContext;
  /** The administrator. */
  readonly admin: TestClient;
  /** No one. */
  readonly anonymous: TestClient;
  stop(): Promise<void>;
  /** Stops it and starts it again on the same folder. */
  restart(): Promise<TestApi>;
}

/** Starts one in its own folder, on any free port. */
export async function startTestApi(folder = mkdtempSync(join(tmpdir(), 'kubelite-api-'))): Promise<TestApi> {
  const contexts: ExtensionContext[] = [];
  const options = { folder, address: '127.0.0.1', port: 0, log: QUIET, now: () => new Date() };
  const create = (context: ExtensionContext) => {
    contexts.push(context);
    return testExtensions(context);
  };
  const kubelite = await startKubelite(options, new AbortController().signal, create);
  const [context] = contexts;
  if (!context) throw new Error('the extensions were not asked for');
  const { url, caCertificate } = kubelite;
  const admin = testClient(url, caCertificate, context.identity.admin);
  const anonymous = testClient(url, caCertificate);
  const close = async () => {
    admin.close();
    anonymous.close();
    await kubelite.close();
  };
  return {
    kubelite,
    folder,
    context,
    admin,
    anonymous,
    async stop() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
    async restart() {
      await close();
      return startTestApi(folder);
    },
  };
}

/** Lets the holder of any certificate do everything but read what is called `secret`. */
function testExtensions({ registry, objects }: ExtensionContext): Extensions {
  for (const kind of [NAMESPACES, CONFIG_MAPS, PODS, ...WIDGETS]) registry.add(kind);
  return {
    gatekeeper: {
      authenticate: async ({ clientCertificate }) => clientCertificate && { name: 'tester', groups: [] },
      authorize: (_user, { name }) => (name === 'secret' ? '' : true),
      authorizePath: () => true,
      admit: (_user, { object }) => (object?.metadata.name === 'not-admitted' ? 'not this one' : true),
    },
    renderTable: ({ objects: rows, metadata, withColumns }) => ({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: withColumns ? [{ name: 'Name', type: 'string' }] : [],
      rows: rows.map((row) => ({ cells: [row.metadata.name] })),
    }),
    answerPlain: ({ path }) =>
      path === '/version' ? { status: 200, contentType: 'application/json', body: '{"major":"1"}' } : undefined,
    async start() {
      const key = { namespace: '', name: 'default' };
      const draft = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
      if (!objects.get(NAMESPACES, key)) await objects.create(NAMESPACES, draft, { user: SYSTEM_USER });
    },
  };
}

const QUIET: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => QUIET,
};
