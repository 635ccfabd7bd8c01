import { objectAt, stringAt, type JsonObject } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { ResourceKind, Subresource } from '../objects/resource-kind.ts';
import { invalid, notFound } from '../objects/statuses.ts';
import { conditionOf, timestamp } from '../kinds/conditions.ts';
import { objectsAt } from '../kinds/json.ts';
import { forbiddenField } from '../kinds/problems.ts';

const VERDICTS: ReadonlySet<string> = new Set(['Approved', 'Denied']);

/** `certificatesigningrequests/approval`: an administrator's yes or no, which stands once it is given. */
export const approvalSubresource: Subresource = {
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
