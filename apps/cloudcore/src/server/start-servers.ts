import { X509Certificate } from 'node:crypto';
import { KINDS } from '@fenestra/kube-api';
import { isOneOf, issuedAt } from '../certificates/sign-certificate.ts';
import { publicKeyHash } from '../certificates/key-pair.ts';
import type { ServerCertificate } from '../certificates/server-certificate.ts';
import type { CloudBase } from '../cloud-base.ts';
import type { Hub } from '../hub/hub.ts';
import { attemptLimit } from './attempt-limit.ts';
import type { CertificateCounts, CertificateEndpoints } from './certificate-endpoints.ts';
import { startCertificateServer, type SecureServer } from './certificate-server.ts';
import { isTaken, leaveCloud } from './leave-node.ts';
import { startNodeServer } from './node-server.ts';

/** What the servers serve. */
export interface Served {
  readonly hub: Hub;
  /** The certificate in use; a renewal may change it. */
  readonly certificate: () => ServerCertificate;
  readonly counts: CertificateCounts;
}

/** Upstream's agent tries every ten seconds; this lets ten of them fail behind one address. */
const FAILURES = { burst: 60, perMinute: 60, keys: 10_000 };

/** Starts the servers that the configuration wants: certificates on one port, the hub on another. */
export async function startServers(base: CloudBase, served: Served): Promise<readonly SecureServer[]> {
  const { config, projects, now, revoked, log } = base;
  const isRevoked = (node: string, keyHash: string): boolean => revoked.isRevoked(node, keyHash);
  const { hub } = served;
  const certificate = served.certificate();
  const { enable, websocket, https } = config().modules.cloudHub;
  const nodeLimit = (): number => config().modules.cloudHub.nodeLimit;
  const starts: Promise<SecureServer>[] = [];
  if (enable && https.enable) {
    starts.push(startCertificateServer({ ...https, certificate, endpoints: endpoints(base, served), log }));
  }
  if (enable && websocket.enable) {
    starts.push(startNodeServer({ ...websocket, certificate, hub, projects, nodeLimit, now, isRevoked, log }));
  }
  return allOrNone(starts);
}

function endpoints(
  { api, authority, store, now, config, log }: CloudBase,
  { counts, certificate, hub }: Served,
): CertificateEndpoints {
  const isCloudName = (name: string): boolean => {
    const { advertiseAddress, dnsNames } = config().modules.cloudHub;
    return isOneOf(name, [...advertiseAddress, ...dnsNames], new X509Certificate(certificate().cert));
  };
  const days = (): number => config().modules.cloudHub.edgeCertSigningDuration;
  // A node whose Node object was deleted keeps its name as long as it is connected.
  const hasJoined = async (name: string, signal: AbortSignal): Promise<boolean> =>
    hub.sessions.isConnected(name) || isTaken(await api.find(KINDS.node, { name }, signal));
  const leave: CertificateEndpoints['leave'] = async (name, shown, signal) => {
    const leaving = { name, joinedAt: issuedAt(shown), keyHash: publicKeyHash(shown) };
    return leaveCloud({ api, sessions: hub.sessions }, leaving, signal);
  };
  return {
    leave,
    issuer: { authority, store, now, days, isCloudName, hasJoined },
    attempts: attemptLimit({ ...FAILURES, now: () => performance.now() }),
    counts,
    log: log.with({ module: 'certificates' }),
  };
}

/** One server that cannot listen must not leave the other behind. */
async function allOrNone(starts: readonly Promise<SecureServer>[]): Promise<readonly SecureServer[]> {
  const results = await Promise.allSettled(starts);
  const failure = results.find((result) => result.status === 'rejected');
  const started = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  if (failure === undefined) return started;
  await Promise.all(started.map(async (server) => server.close()));
  throw failure.reason;
}
