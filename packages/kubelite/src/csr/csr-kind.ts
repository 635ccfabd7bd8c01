import { conditionOf, timestamp } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';
import {
  listAt,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  sameJson,
  stringAt,
  stringsAt,
  valueAt,
} from '../objects/json.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../kinds/problems.ts';
import type { User } from '../objects/gatekeeper.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { ResourceKind, Subresource } from '../objects/resource-kind.ts';
import { type FieldProblem, invalid, notFound } from '../objects/status-error.ts';
import { AGE, column, humanDuration, NAME, orNone } from '../printing/columns.ts';
import { parseRequest } from './parse-request.ts';

const VERDICTS: ReadonlySet<string> = new Set(['Approved', 'Denied']);

/** `certificatesigningrequests/approval`: an administrator's yes or no, which stands once it is given. */
const approvalSubresource: Subresource = {
  name: 'approval',
  kind: 'CertificateSigningRequest',
  verbs: ['get', 'patch', 'update'],
  async handle({ verb, kind, name, body, context }) {
    const key = { namespace: '', name };
    if (verb === 'get') return { status: 200, body: existing(kind, name, context.objects.get(kind, key)) };
    const options = { user: context.user, dryRun: context.dryRun, subresource: 'status' };
    const given = objectsAt(body, 'status', 'conditions');
    const decided = await context.objects.update(
      kind,
      key,
      (current) => withVerdict(kind, current, given, context.now),
      options,
    );
    return { status: 200, body: decided };
  },
};

function existing(kind: ResourceKind, name: string, object: KubeObject | undefined): KubeObject {
  if (object === undefined) throw notFound(kind, name);
  return object;
}

function withVerdict(kind: ResourceKind, request: KubeObject, given: readonly JsonObject[], now: Date): ObjectDraft {
  const stored = objectsAt(request, 'status', 'conditions');
  const verdicts = given.filter(isVerdict);
  const withdrawn = stored.some(
    (condition) => isVerdict(condition) && !verdicts.some((verdict) => verdict['type'] === condition['type']),
  );
  const both = [...VERDICTS].every((type) => verdicts.some((verdict) => verdict['type'] === type));
  if (withdrawn || both) throw contradiction(kind, request);
  const others = stored.filter((condition) => !isVerdict(condition));
  const kept = verdicts.map(
    (verdict) => conditionOf(objectAt(request, 'status'), stringAt(verdict, 'type')) ?? dated(verdict, now),
  );
  return { ...request, status: { ...objectAt(request, 'status'), conditions: [...others, ...kept] } };
}

function isVerdict(condition: JsonObject): boolean {
  return VERDICTS.has(stringAt(condition, 'type'));
}

function dated(verdict: JsonObject, now: Date): JsonObject {
  const at = timestamp(now);
  return { status: 'True', ...verdict, lastUpdateTime: at, lastTransitionTime: at };
}

function contradiction(kind: ResourceKind, request: KubeObject): Error {
  const problem = forbiddenField(
    'status.conditions',
    'Approved and Denied conditions are mutually exclusive and cannot be changed',
  );
  return invalid(kind, request.metadata.name, [problem]);
}

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
    column('Condition', 'The result', conditionWords),
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
  if (listAt(request, 'spec', 'usages').length === 0) return [requiredField('spec.usages')];
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
