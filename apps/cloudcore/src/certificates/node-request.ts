import { X509Certificate } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { LEGACY_SUBJECT, NODE_ORGANIZATION, nodeCommonName, nodeNameOf } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { x509 } from './x509.ts';

/** A node's request for a certificate, after every check that needs no outside knowledge. */
export interface NodeRequest {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  readonly ips: readonly string[];
  readonly dns: readonly string[];
}

const LEAST_RSA_BITS = 2048;

/**
 * Reads a certificate request (DER) and refuses with `CERTIFICATE_INVALID` what is not for this node alone: another
 * name or group, a weak key, a key the sender does not hold, addresses that others are reached at, `isCloudName` first.
 */
export async function readNodeRequest(
  der: Buffer,
  node: string,
  isCloudName: (name: string) => boolean,
): Promise<NodeRequest> {
  const request = parse(der);
  if (!(await request.verify())) throw refused('it is not signed with its own key');
  checkSubject(request.subjectName, node);
  checkKey(request.publicKey);
  const names = alternativeNames(request);
  for (const name of names) {
    if (isCloudName(name.value)) throw refusedName(name.value);
    checkAlternativeName(name, node);
  }
  return {
    publicKey: Buffer.from(request.publicKey.rawData),
    ips: names.filter(({ type }) => type === 'ip').map(({ value }) => value),
    dns: names.filter(({ type }) => type === 'dns').map(({ value }) => value),
  };
}

/** The subject of a node's certificate. Nothing else of what the request names is certified. */
export function nodeSubject(node: string): x509.Name {
  return new x509.Name([{ O: [NODE_ORGANIZATION] }, { CN: [nodeCommonName(node)] }]);
}

/** The node a certificate speaks for; undefined if it is not a node's or of the old kind that every node shares. */
export function nodeOfCertificate(certificate: X509Certificate): string | undefined {
  const { O: organization, CN: commonName } = certificate.toLegacyObject().subject;
  if (typeof organization !== 'string' || typeof commonName !== 'string') return undefined;
  return nodeNameOf({ organization, commonName });
}

/** Whether a certificate is of the old kind that says nothing about whose it is. */
export function isLegacyCertificate(certificate: X509Certificate): boolean {
  const { O: organization, CN: commonName } = certificate.toLegacyObject().subject;
  return organization === LEGACY_SUBJECT.organization && commonName === LEGACY_SUBJECT.commonName;
}

function parse(der: Buffer): x509.Pkcs10CertificateRequest {
  try {
    return new x509.Pkcs10CertificateRequest(Buffer.from(der));
  } catch (cause) {
    throw refused('it cannot be read', cause);
  }
}

function checkSubject(subject: x509.Name, node: string): void {
  const [commonName, ...otherNames] = subject.getField('CN');
  const [organization, ...otherOrganizations] = subject.getField('O');
  if (commonName !== nodeCommonName(node) || otherNames.length > 0) {
    throw refused(`its common name is not "${nodeCommonName(node)}"`);
  }
  if (organization !== NODE_ORGANIZATION || otherOrganizations.length > 0) {
    throw refused(`its organization is not "${NODE_ORGANIZATION}"`);
  }
}

function checkKey({ algorithm }: x509.PublicKey): void {
  const bits = 'modulusLength' in algorithm ? algorithm.modulusLength : undefined;
  if (typeof bits === 'number' && bits < LEAST_RSA_BITS)
    throw refused(`its RSA key has fewer than ${LEAST_RSA_BITS} bits`);
}

/** The names a request asks for besides its subject. */
export function alternativeNames(request: x509.Pkcs10CertificateRequest): readonly { type: string; value: string }[] {
  return request.extensions
    .filter((extension) => extension instanceof x509.SubjectAlternativeNameExtension)
    .flatMap((extension) => extension.names.items.map(({ type, value }) => ({ type, value })));
}

/** With any other name a node could pass itself off as the cloud or as another node. */
function checkAlternativeName({ type, value }: { type: string; value: string }, node: string): void {
  if (type === 'ip' && isLocalAddress(value)) return;
  if (type === 'dns' && (value === 'localhost' || value === node)) return;
  throw refusedName(value);
}

/** With such a certificate a node could pass itself off as someone else. */
export function refusedName(name: string): OperatorError {
  return refused(`a node gets no certificate for "${name.slice(0, 100)}"`);
}

function refused(reason: string, cause?: unknown): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', `Cannot sign the request for a certificate: ${reason}`, {
    hint: 'The agent must make the request itself, under its node name.',
    cause,
  });
}

/** Whether an address is reached only from the machine itself: loopback, or link-local as node-local services use it. */
function isLocalAddress(address: string): boolean {
  const local = new BlockList();
  local.addSubnet('127.0.0.0', 8, 'ipv4');
  local.addSubnet('169.254.0.0', 16, 'ipv4');
  local.addAddress('::1', 'ipv6');
  local.addSubnet('fe80::', 10, 'ipv6');
  return local.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const LONGEST = 253;
const NODE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Returns the name if Kubernetes takes it for a node; throws `CERTIFICATE_INVALID` otherwise. */
export function requireNodeName(name: string): string {
  if (name.length <= LONGEST && NODE_NAME.test(name)) return name;
  throw new OperatorError('CERTIFICATE_INVALID', `Cannot use "${name.slice(0, 100)}" as the name of a node`, {
    hint: 'Use lower-case letters, digits, "-" and ".", starting and ending with a letter or digit.',
  });
}
