import { DEFAULT_PROJECT_ID, type KeyUsage } from '@fenestra/contracts';
import { type Logger, type PendingLimits, silentLogger } from '@fenestra/platform';
import { newAuthority, openAuthority, type Authority } from '../certificates/authority.ts';
import { alternativeNames, signCertificate } from '../certificates/sign-certificate.ts';
import { toPem } from '../certificates/key-pair.ts';
import { nodeSubject, readNodeRequest } from '../certificates/node-request.ts';
import { openServerCertificate, type ServerCertificate } from '../certificates/server-certificate.ts';
import { defaultLimits, type HubLimits } from '../hub/hub-limits.ts';
import { Hub } from '../hub/hub.ts';
import { WINDOW, type WindowOptions } from '../hub/window-options.ts';
import { startNodeServer } from '../server/node-server.ts';
import { certificateRequest } from './certificate-request.ts';
import { memorySecrets } from './memory-secrets.ts';

const NO_FILES = { certificate: '', key: '' };

/** A CA with a server certificate for loopback, without a Kubernetes API. */
export interface TestAuthority {
  readonly authority: Authority;
  readonly certificate: ServerCertificate;
}

/** A node's certificate and key, PEM. */
export interface NodeCredentials {
  readonly node: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A hub that listens on loopback. */
export interface TestHub {
  readonly hub: Hub;
  readonly port: number;
  close(): Promise<void>;
}

/** Makes a CA. */
export async function testAuthority(): Promise<TestAuthority> {
  const now = new Date();
  const authority = await openAuthority(await newAuthority(now), 'the test');
  const wish = { authority, files: NO_FILES, names: alternativeNames(['127.0.0.1', 'localhost']) };
  const certificate = await openServerCertificate(wish, memorySecrets(), now, new AbortController().signal);
  return { authority, certificate };
}

/** Makes a node's certificate; `days` may be negative for one that is over, `now` later for a wrong clock. */
export async function nodeCredentials(
  { authority }: Pick<TestAuthority, 'authority'>,
  node: string,
  days = 1,
  now = new Date(),
  usages: readonly KeyUsage[] = ['clientAuth'],
): Promise<NodeCredentials> {
  const { csr, key } = await certificateRequest(node);
  const { publicKey } = await readNodeRequest(csr, node, () => false);
  const wish = { subject: nodeSubject(node), publicKey, usages, names: { ips: [], dns: [] }, days };
  const der = await signCertificate(authority, wish, now);
  return { node, ca: authority.pem, cert: toPem('CERTIFICATE', der), key };
}

/** What a test may want different. */
export interface TestHubOptions {
  readonly limits?: Partial<HubLimits>;
  readonly window?: Partial<WindowOptions>;
  readonly nodeLimit?: number;
  readonly log?: Logger;
  readonly pending?: PendingLimits;
  readonly isRevoked?: (node: string, keyHash: string) => boolean;
}

/** Starts a hub on any free port. */
export async function testHub({ certificate }: TestAuthority, options: TestHubOptions = {}): Promise<TestHub> {
  const { log = silentLogger() } = options;
  const limits = { ...defaultLimits(), ...options.limits };
  const hub = new Hub({ limits, window: { ...WINDOW, ...options.window }, log, now: () => performance.now() });
  const server = await startNodeServer({
    address: '127.0.0.1',
    port: 0,
    certificate,
    hub,
    projects: [DEFAULT_PROJECT_ID],
    nodeLimit: () => options.nodeLimit ?? 100,
    now: () => new Date(),
    isRevoked: options.isRevoked ?? (() => false),
    log,
    ...(options.pending === undefined ? {} : { pending: options.pending }),
  });
  return {
    hub,
    port: server.port,
    async close() {
      server.stopListening();
      await hub.close(AbortSignal.timeout(1));
      await server.close();
    },
  };
}
