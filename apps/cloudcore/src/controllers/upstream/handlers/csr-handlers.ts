import { CertificateSigningRequest, NODE_ORGANIZATION, nodeCommonName, readContent } from '@fenestra/contracts';
import { KINDS, listAt, stringAt } from '@fenestra/kube-api';
import { alternativeNames } from '../../../certificates/node-request.ts';
import { x509 } from '../../../certificates/x509.ts';
import { bare, wrapped } from '../answers.ts';
import { forbid, type NodeRequest, type RequestHandler, type RequestTools } from '../node-request.ts';

const SERVING = 'kubernetes.io/kubelet-serving';
const SIGNERS: ReadonlySet<string> = new Set([SERVING, 'kubernetes.io/kube-apiserver-client-kubelet']);

/** A node asks the cluster for a certificate in its own name. */
export const createCsr: RequestHandler = {
  failure: 'wrapped',
  async handle(request, tools, signal) {
    const { api } = tools;
    const csr = readContent(CertificateSigningRequest, request.message);
    requireOwnSubject(request, csr.spec.request, csr.spec.signerName);
    await requireOwnNames(request, csr.spec.request, csr.spec.signerName, tools, signal);
    const { name, generateName, labels } = csr.metadata;
    const metadata = {
      ...(name === undefined || name === '' ? { generateName: generateName ?? 'csr-' } : { name }),
      ...(labels === undefined ? {} : { labels }),
    };
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = csr.spec;
    // As it was judged: another reader could find another request in the same text.
    const judged = Buffer.from(parse(request, csr.spec.request).toString('pem')).toString('base64');
    const draft = { metadata, spec: { ...spec, request: judged } };
    return wrapped(await api.create(KINDS.certificateSigningRequest, draft, signal));
  },
};

/** A node asks what has become of its request. */
export const queryCsr: RequestHandler = {
  failure: 'bare',
  async handle(request, { api }, signal) {
    const csr = await api.get(KINDS.certificateSigningRequest, { name: request.name }, signal);
    requireOwnSubject(request, stringAt(csr, 'spec', 'request'), stringAt(csr, 'spec', 'signerName'));
    return bare(csr);
  },
};

function requireOwnSubject(request: NodeRequest, base64: string, signer: string): void {
  if (!SIGNERS.has(signer)) forbid(request, `signer "${signer}" is not for nodes`);
  const { subjectName } = parse(request, base64);
  const [commonNames, organizations] = [subjectName.getField('CN'), subjectName.getField('O')];
  const isOwn = commonNames.length === 1 && commonNames[0] === nodeCommonName(request.node);
  const isNode = organizations.length === 1 && organizations[0] === NODE_ORGANIZATION;
  if (!isOwn || !isNode) forbid(request, 'the certificate is not for this node');
}

/** A node serves under its own name and the addresses its Node lists, but not those of the cloud or the API server. */
async function requireOwnNames(
  request: NodeRequest,
  base64: string,
  signer: string,
  { api, advertiseAddress }: RequestTools,
  signal: AbortSignal,
): Promise<void> {
  const names = alternativeNames(parse(request, base64)).map(({ value }) => value);
  if (names.length === 0) return;
  if (signer !== SERVING) forbid(request, 'a certificate for a client has no further names');
  const node = await api.find(KINDS.node, { name: request.node }, signal);
  const addresses = listAt(node, 'status', 'addresses').map((address) => stringAt(address, 'address'));
  const own = new Set([request.node, ...addresses]);
  for (const foreign of [advertiseAddress ?? '', new URL(api.server).hostname]) own.delete(foreign);
  if (!names.every((name) => own.has(name))) forbid(request, 'the certificate would have names of others');
}

function parse(request: NodeRequest, base64: string): x509.Pkcs10CertificateRequest {
  try {
    return new x509.Pkcs10CertificateRequest(Buffer.from(base64, 'base64').toString('latin1'));
  } catch {
    return forbid(request, 'the certificate request cannot be read');
  }
}
