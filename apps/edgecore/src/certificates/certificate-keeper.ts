import { X509Certificate } from 'node:crypto';
import { checkCaHash, checkJoinTokenTime, parseJoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { FileStore, Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { makeCertificateRequest, newPrivateKey } from './certificate-request.ts';
import { fetchCa, fetchCertificate, type OfferedCa, type Proof } from './cloud-requests.ts';
import { identityFiles, type IdentityPaths, pendingKey, type PendingKey } from './identity-files.ts';
import { findFlaw, readCertificate, type IdentityFlaw, type NodeIdentity } from './node-identity.ts';

/** What the keeper is made with. */
export interface KeeperOptions {
  readonly nodeName: string;
  /** The cloud's HTTPS server: `https://cloud:10002`. */
  readonly server: string;
  readonly paths: IdentityPaths;
  readonly files: FileStore;
  readonly token: JoinTokenSource;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Where a join token may come from. */
export interface JoinTokenSource {
  /** The token that is there at the moment. */
  read(): Promise<string | undefined>;
  /** Called once a token has done its work. */
  used(token: string): Promise<void>;
}

/** Manages the certificate of this node. */
export interface CertificateKeeper {
  /** The identity to connect with: the one on disk, or a new one by the join token if that one is missing or useless. */
  current(signal: AbortSignal): Promise<NodeIdentity>;
  /** Asks for a successor with the certificate the node has, and puts it on disk. */
  renew(signal: AbortSignal): Promise<NodeIdentity>;
  /** After the cloud refused the identity: gets a new one if there is a join token that was not used yet. */
  heal(signal: AbortSignal): Promise<boolean>;
}

/** Clocks that differ by more than this are worth a word. */
const TOLERATED_SKEW_MS = 5 * 60 * 1000;

/** Makes the keeper; nothing is read yet. */
export function certificateKeeper(options: KeeperOptions): CertificateKeeper {
  const { nodeName, paths, files, token: source, now, log } = options;
  const disk = identityFiles(paths, files);
  const pending = pendingKey(paths.keyFile, files);
  let usedToken: string | undefined;

  const bootstrap = async (token: string, signal: AbortSignal): Promise<NodeIdentity> => {
    const formerIdentity = usableIdentity(await disk.load());
    const identity = await joinByToken({ text: token, formerIdentity }, options, pending, signal);
    await disk.save(identity);
    await pending.forget();
    usedToken = token;
    log.info('The cloud has given this node a certificate');
    await source.used(token);
    return identity;
  };

  /** A token that is of no use any more must not keep a node from a certificate that may still be good. */
  const fallBack = (last: NodeIdentity | undefined, cause: unknown, signal: AbortSignal): NodeIdentity => {
    if (last === undefined || signal.aborted) throw cause;
    log.warn("The join token did not help; trying the node's old certificate", failureFields(cause));
    return last;
  };

  return {
    async current(signal) {
      const present = await disk.load();
      const flaw = present === undefined ? 'missing' : findFlaw(present, nodeName, now());
      if (present !== undefined && flaw === undefined) return present;
      const token = await source.read();
      // Whether it has expired the cloud decides by its own clock, which may be the right one.
      const last = flaw === 'expired' ? present : undefined;
      if (token !== undefined) return bootstrap(token, signal).catch((cause: unknown) => fallBack(last, cause, signal));
      if (last !== undefined) return last;
      throw tokenNeeded(flaw ?? 'missing');
    },
    async renew(signal) {
      const present = await disk.load();
      if (present === undefined) throw tokenNeeded('missing');
      const identity = await requestIdentity(options, newPrivateKey(), { identity: present }, signal);
      await disk.save(identity);
      return identity;
    },
    async heal(signal) {
      const token = await source.read();
      if (token === undefined || token === usedToken) return false;
      await bootstrap(token, signal);
      return true;
    },
  };
}

/** TLS can only show a certificate that fits its key. */
function usableIdentity(identity: NodeIdentity | undefined): NodeIdentity | undefined {
  const flaw = identity && findFlaw(identity, '', new Date(0));
  return flaw === 'unreadable' || flaw === 'key does not match' ? undefined : identity;
}

async function joinByToken(
  { text, formerIdentity }: { readonly text: string; readonly formerIdentity: NodeIdentity | undefined },
  options: KeeperOptions,
  pending: PendingKey,
  signal: AbortSignal,
): Promise<NodeIdentity> {
  const token = parseJoinToken(text);
  const offered = await fetchCa(options.server, signal);
  checkCaHash(token, offered.certificate);
  const ca = checkClock(offered, options);
  // The cloud's clock is the one the token is judged by.
  checkJoinTokenTime(token, (offered.cloudTime ?? options.now()).getTime());
  const key = await pending.keyFor(text);
  return requestIdentity(options, key, { bearer: token.jwt, ca: ca.toString(), formerIdentity }, signal);
}

function checkClock({ certificate, cloudTime }: OfferedCa, { now, log }: KeeperOptions): X509Certificate {
  const ca = new X509Certificate(certificate);
  const time = now();
  const skewMs = cloudTime === undefined ? 0 : time.getTime() - cloudTime.getTime();
  if (time < ca.validFromDate || time > ca.validToDate) throw clockWrong(time, cloudTime);
  if (Math.abs(skewMs) > TOLERATED_SKEW_MS) {
    log.warn("This machine's clock differs from the cloud's", { seconds: Math.round(skewMs / 1000) });
  }
  return ca;
}

async function requestIdentity(
  { nodeName, server, now }: KeeperOptions,
  key: string,
  proof: Proof,
  signal: AbortSignal,
): Promise<NodeIdentity> {
  const request = makeCertificateRequest(nodeName, key);
  const der = await fetchCertificate({ server, nodeName, request, proof }, signal);
  const certificate = readCertificate(der)?.toString() ?? '';
  const ca = 'bearer' in proof ? proof.ca : proof.identity.ca;
  const identity = { ca, certificate, key };
  const flaw = findFlaw(identity, nodeName, now());
  if (flaw !== undefined) throw uselessAnswer(flaw);
  return identity;
}

function tokenNeeded(flaw: IdentityFlaw | 'missing'): OperatorError {
  return new OperatorError(
    'TOKEN_INVALID',
    `Cannot join: the node's certificate is ${flaw} and there is no join token`,
    {
      hint: 'Put a token from "keadm gettoken" into "modules.edgeHub.token", then reload the agent.',
    },
  );
}

function clockWrong(now: Date, cloudTime: Date | undefined): OperatorError {
  return new OperatorError('CLOCK_WRONG', "Cannot join: by this machine's clock the CA of the cloud is not valid", {
    hint: "Compare this machine's clock with the cloud's and set it right.",
    details: { now: now.toISOString(), ...(cloudTime === undefined ? {} : { cloud: cloudTime.toISOString() }) },
  });
}

function uselessAnswer(flaw: IdentityFlaw): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', `Cannot use the certificate the cloud has given: it is ${flaw}`, {
    hint: "Compare this machine's clock with the cloud's, and the versions of cloud and node.",
  });
}
