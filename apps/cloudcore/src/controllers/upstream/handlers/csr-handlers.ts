import { CertificateSigningRequest, NODE_ORGANIZATION, nodeCommonName, readContent } from '@fenestra/contracts';
import { KINDS, stringAt } from '@fenestra/kube-api';
import { x509 } from '../../../certificates/x509.ts';
import { bare, wrapped } from '../answers.ts';
import { forbid, type NodeRequest, type RequestHandler } from '../node-request.ts';

const SIGNERS: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

/** A node asks the cluster for a certificate in its own name. */
export const createCsr: RequestHandler = {
  failure: 'wrapped',
  async handle(request, { api }, signal) {
    const csr = readContent(CertificateSigningRequest, request.message);
    requireOwnSubject(request, csr.spec.request, csr.spec.signerName);
    const { name, generateName, labels } = csr.metadata;
    const metadata = {
      ...(name === undefined || name === '' ? { generateName: generateName ?? 'csr-' } : { name }),
      ...(labels === undefined ? {} : { labels }),
    };
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = csr.spec;
    return wrapped(await api.create(KINDS.certificateSigningRequest, { metadata, spec }, signal));
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
  const { commonNames, organizations } = subjectOf(request, base64);
  const isOwn = commonNames.length === 1 && commonNames[0] === nodeCommonName(request.node);
  const isNode = organizations.length === 1 && organizations[0] === NODE_ORGANIZATION;
  if (!isOwn || !isNode) forbid(request, 'the certificate is not for this node');
}

function subjectOf(request: NodeRequest, base64: string): { commonNames: string[]; organizations: string[] } {
  try {
    const { subjectName } = new x509.Pkcs10CertificateRequest(Buffer.from(base64, 'base64').toString('latin1'));
    return { commonNames: subjectName.getField('CN'), organizations: subjectName.getField('O') };
  } catch {
    return forbid(request, 'the certificate request cannot be read');
  }
}
