import { type FieldTerm, parseFieldSelector, requiredValue } from '@fenestra/contracts/objects';
import { timestamp } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';
import type { Decision, Gatekeeper, User } from '../objects/gatekeeper.ts';
import { type Json, type JsonObject, objectAt, objectsAt, stringAt, stringsAt, valueAt } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { AnswerContext, ResourceKind } from '../objects/resource-kind.ts';
import { badRequest } from '../objects/status-error.ts';
import { authenticated, BOOTSTRAPPERS, nodeNameOf, rulesFor } from './authorizer.ts';
import { type GatekeeperOptions, tokenUser } from './gatekeeper.ts';

/** A kind that is only ever asked and answered. */
function reviewKind(
  group: string,
  kind: string,
  answer: (review: ObjectDraft, context: AnswerContext) => KubeObject | Promise<KubeObject>,
): ResourceKind {
  return defineKind({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: false,
    verbs: ['create'],
    answerCreate: answer,
  });
}

/** The review with its answer. It never becomes an object, so there is hardly any metadata. */
function answered(review: ObjectDraft, status: JsonObject, { now }: AnswerContext): KubeObject {
  const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp: timestamp(now) };
  return { ...review, metadata: { ...metadata, ...review.metadata }, status };
}

const AUTHENTICATION = 'authentication.k8s.io';

/** Who am I, and whom is this token for. */
export function identityReviewKinds(options: GatekeeperOptions): readonly ResourceKind[] {
  return [
    reviewKind(AUTHENTICATION, 'SelfSubjectReview', (review, context) =>
      answered(review, { userInfo: userInfo(context.user) }, context),
    ),
    reviewKind(AUTHENTICATION, 'TokenReview', async (review, context) => {
      const user = await tokenUser(stringAt(review, 'spec', 'token'), options);
      const status = user ? { authenticated: true, user: userInfo(authenticated(user)) } : { authenticated: false };
      // The token was a secret on its way in and has no place in an answer.
      return answered({ ...review, spec: {} }, status, context);
    }),
  ];
}

function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
}

const GROUP = 'authorization.k8s.io';

/** What `kubectl auth can-i` asks: may I, may someone, and what may I at all. */
export function accessReviewKinds(gatekeeper: Gatekeeper): readonly ResourceKind[] {
  return [
    reviewKind(GROUP, 'SelfSubjectAccessReview', (review, context) =>
      decided(gatekeeper, context.user, review, context),
    ),
    reviewKind(GROUP, 'SubjectAccessReview', (review, context) =>
      decided(gatekeeper, subjectOf(review), review, context),
    ),
    reviewKind(GROUP, 'SelfSubjectRulesReview', (review, context) =>
      answered(review, rulesStatus(context.user), context),
    ),
  ];
}

function decided(gatekeeper: Gatekeeper, user: User, review: ObjectDraft, context: AnswerContext): KubeObject {
  const decision = decide(gatekeeper, user, objectAt(review, 'spec'));
  const reason = decision === true || decision === '' ? {} : { reason: decision };
  return answered(review, { allowed: decision === true, ...reason }, context);
}

function decide(gatekeeper: Gatekeeper, user: User, spec: JsonObject): Decision {
  const resource = spec['resourceAttributes'];
  if (resource !== undefined) return gatekeeper.authorize(user, resourceAccess(resource));
  const path = spec['nonResourceAttributes'];
  if (path === undefined)
    throw badRequest('exactly one of resourceAttributes or nonResourceAttributes must be specified');
  return gatekeeper.authorizePath(user, { verb: stringAt(path, 'verb'), path: stringAt(path, 'path') });
}

function resourceAccess(attributes: Json): Parameters<Gatekeeper['authorize']>[1] {
  const text = (name: string): string => stringAt(attributes, name);
  const fields = fieldTerms(attributes);
  return {
    verb: text('verb'),
    group: text('group'),
    version: text('version'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name') || requiredValue(fields, 'metadata.name'),
    fields,
  };
}

/** A selector comes as text or as requirements. One that is not understood limits nothing, so less is allowed. */
function fieldTerms(attributes: Json): readonly FieldTerm[] {
  const raw = parseFieldSelector(stringAt(attributes, 'fieldSelector', 'rawSelector'), badRequest);
  const single = objectsAt(attributes, 'fieldSelector', 'requirements').filter(
    (requirement) => requirement['operator'] === 'In' && stringsAt(requirement, 'values').length === 1,
  );
  const required = single.map((requirement) => {
    return { field: stringAt(requirement, 'key'), equal: true, value: stringsAt(requirement, 'values')[0] ?? '' };
  });
  return [...raw, ...required];
}

function subjectOf(review: ObjectDraft): User {
  const name = stringAt(review, 'spec', 'user');
  const groups = stringsAt(review, 'spec', 'groups');
  if (name === '' && groups.length === 0) throw badRequest('at least one of user or group must be specified');
  const uid = valueAt(review, 'spec', 'uid');
  return { name, groups, ...(typeof uid === 'string' && { uid }) };
}

function rulesStatus(user: User): JsonObject {
  const resourceRules = rulesFor(user).map(({ verbs, apiGroups, resources }) => ({ verbs, apiGroups, resources }));
  const nonResourceRules = [
    {
      verbs: ['get'],
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
      ],
    },
  ];
  return { resourceRules, nonResourceRules, incomplete: dependsOnObjects(user) };
}

/** What nodes and bootstrapping machines may do cannot be said without knowing the object. */
function dependsOnObjects(user: User): boolean {
  return nodeNameOf(user) !== undefined || user.groups.includes(BOOTSTRAPPERS);
}
