import { arrayAt, objectAt, sameJson, stringAt, valueAt, type JsonObject } from '../objects/json.ts';
import type { User } from '../objects/gatekeeper.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, column, NAME, orNone } from '../printing/columns.ts';
import { humanDuration } from '../printing/human-duration.ts';
import { conditionOf } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';
import { numberAt, stringsAt } from '../kinds/json.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../kinds/problems.ts';
import { approvalSubresource } from './approval.ts';
import { parseRequest } from './parse-request.ts';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const SHORTEST_SECONDS = 600;

/** Requests for certificates. Who asked is set by the API and can never be changed. */
export const csrKind = defineKind({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  hasStatus: true,
  subresources: [approvalSubresource],
  columns: [
    NAME,
    AGE,
    column('SignerName', 'Who shall sign', (request) => stringAt(request, 'spec', 'signerName')),
    column('Requestor', 'Who asked', (request) => stringAt(request, 'spec', 'username')),
    column('RequestedDuration', 'How long the certificate shall hold', requestedDuration),
    column('Condition', 'What became of it', conditionWords),
  ],
  selectableFields: ['spec.signerName'],
  prepareForCreate: (request, { user }) => ({
    ...request,
    spec: { ...objectAt(request, 'spec'), ...requester(user) },
    status: {},
  }),
  validate: (request, previous) => [
    ...specProblems(request),
    ...(previous && !sameJson(request['spec'], previous['spec'])
      ? [forbiddenField('spec', 'updates to certificatesigningrequest spec are forbidden')]
      : []),
  ],
});

function requester({ name, uid, groups, extra }: User): JsonObject {
  return { username: name, uid, groups, extra };
}

function specProblems(request: KubeObject): readonly FieldProblem[] {
  const signer = stringAt(request, 'spec', 'signerName');
  const seconds = valueAt(request, 'spec', 'expirationSeconds');
  return [
    ...(parseRequest(stringAt(request, 'spec', 'request')) === undefined
      ? [invalidField('spec.request', '<omitted>', 'PEM block type must be CERTIFICATE REQUEST')]
      : []),
    ...(signer === '' ? [requiredField('spec.signerName')] : []),
    ...(signer !== '' && !/^[a-z0-9.-]+\.[a-z0-9-]+\/[a-z0-9.-]+$/.test(signer)
      ? [
          invalidField(
            'spec.signerName',
            signer,
            'must be a fully qualified domain and path of the form "example.com/signer-name"',
          ),
        ]
      : []),
    ...usageProblems(request),
    ...(typeof seconds === 'number' && seconds < SHORTEST_SECONDS
      ? [
          invalidField(
            'spec.expirationSeconds',
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ];
}

function usageProblems(request: KubeObject): readonly FieldProblem[] {
  if (arrayAt(request, 'spec', 'usages').length === 0) return [requiredField('spec.usages')];
  return stringsAt(request, 'spec', 'usages').flatMap((usage, index) =>
    USAGES.includes(usage) ? [] : [unsupportedField(`spec.usages[${index}]`, usage, USAGES)],
  );
}

function requestedDuration(request: KubeObject): string {
  const seconds = numberAt(request, 'spec', 'expirationSeconds');
  return orNone(seconds === 0 ? '' : humanDuration(seconds * 1000));
}

function conditionWords(request: KubeObject): string {
  const status = objectAt(request, 'status');
  const words = ['Approved', 'Denied', 'Failed'].filter((type) => conditionOf(status, type)?.['status'] === 'True');
  const said = words.length === 0 ? ['Pending'] : words;
  return [...said, ...(stringAt(status, 'certificate') === '' ? [] : ['Issued'])].join(',');
}
