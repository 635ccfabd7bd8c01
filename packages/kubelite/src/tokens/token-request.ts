import { type Json, type JsonObject, objectAt, stringAt, stringsAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import type { Subresource, SubresourceRequest } from '../objects/resource-kind.ts';
import { conflict, forbidden, invalid, notFound } from '../objects/status-error.ts';
import { nodeNameOf } from '../auth/authorizer.ts';
import { runsOn } from '../auth/node-authorizer.ts';
import { timestamp } from '../kinds/conditions.ts';
import { invalidField } from '../kinds/problems.ts';
import { ISSUER, type ServiceAccountTokens, type TokenSubject } from './service-account-tokens.ts';

const REQUEST = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
const USUAL_SECONDS = 3600;
const BINDABLE = ['Node', 'Pod', 'Secret'] as const;
type BindableKind = (typeof BINDABLE)[number];

/** `serviceaccounts/token`: answers a TokenRequest with a signed token. */
export function tokenSubresource(tokens: ServiceAccountTokens): Subresource {
  return {
    name: 'token',
    kind: REQUEST.kind,
    group: REQUEST.group,
    version: 'v1',
    verbs: ['create'],
    async handle(request) {
      const { kind, namespace, name, context } = request;
      const serviceAccount = context.objects.get(kind, { namespace, name });
      if (serviceAccount === undefined) throw notFound(kind, name);
      const seconds = lifetime(name, request.body);
      const expiresAt = new Date(context.now.getTime() + seconds * 1000);
      const audiences = stringsAt(request.body, 'spec', 'audiences');
      const subject = { serviceAccount, audiences: audiences.length > 0 ? audiences : [ISSUER], expiresAt };
      const boundTo = boundObject(request, serviceAccount);
      const token = await tokens.sign({ ...subject, ...(boundTo && { boundTo }) }, context.now);
      return { status: 201, body: answer(serviceAccount, { body: request.body, token, seconds, ...subject }) };
    },
  };
}

function lifetime(name: string, body: Json | undefined): number {
  const asked = valueAt(body, 'spec', 'expirationSeconds');
  if (typeof asked !== 'number') return USUAL_SECONDS;
  if (asked >= SHORTEST_SECONDS && asked <= LONGEST_SECONDS) return asked;
  const why =
    asked < SHORTEST_SECONDS
      ? 'may not specify a duration less than 10 minutes'
      : 'may not specify a duration larger than 2^32 seconds';
  throw invalid(REQUEST, name, [invalidField('spec.expirationSeconds', asked, why)]);
}

/** The object a token dies with. A node has to name its own pod, since the pod is why it may ask at all. */
function boundObject(request: SubresourceRequest, account: KubeObject): TokenSubject['boundTo'] {
  const node = nodeNameOf(request.context.user);
  const wanted = objectAt(request.body, 'spec', 'boundObjectRef');
  const kind = BINDABLE.find((bindable) => bindable === wanted['kind']);
  if (kind === undefined) {
    if (node !== undefined || wanted['kind'] !== undefined) throw notBound(request);
    return undefined;
  }
  const object = findBound(request.context.objects, kind, wanted, account);
  const fits = kind !== 'Pod' || stringAt(object, 'spec', 'serviceAccountName') === account.metadata.name;
  const own = node === undefined || (kind === 'Pod' && runsOn(object, node));
  if (!fits || !own) throw notBound(request);
  return { kind, name: object.metadata.name, uid: object.metadata.uid };
}

function findBound(objects: ObjectReader, kind: BindableKind, wanted: JsonObject, account: KubeObject): KubeObject {
  const resource = { group: '', plural: `${kind.toLowerCase()}s` };
  const name = stringAt(wanted, 'name');
  const namespace = kind === 'Node' ? '' : (account.metadata.namespace ?? '');
  const object = objects.get(resource, { namespace, name });
  if (object === undefined) throw notFound(resource, name);
  const uid = stringAt(wanted, 'uid');
  if (uid === '' || uid === object.metadata.uid) return object;
  throw conflict(resource, name, `the UID in the bound object reference (${uid}) does not match the UID in record`);
}

function notBound({ kind, name }: SubresourceRequest): Error {
  return forbidden(
    kind,
    name,
    'the token has to be bound to a pod that runs as this service account, on the asking node',
  );
}

interface IssuedToken {
  readonly body: Json | undefined;
  readonly token: string;
  readonly seconds: number;
  readonly audiences: readonly string[];
  readonly expiresAt: Date;
}

function answer({ metadata }: KubeObject, issued: IssuedToken): Json {
  const { name, namespace = '', uid } = metadata;
  const bound = valueAt(issued.body, 'spec', 'boundObjectRef');
  return {
    kind: REQUEST.kind,
    apiVersion: `${REQUEST.group}/v1`,
    metadata: { name, namespace, uid, creationTimestamp: null },
    spec: {
      audiences: issued.audiences,
      expirationSeconds: issued.seconds,
      ...(bound !== undefined && { boundObjectRef: bound }),
    },
    status: { token: issued.token, expirationTimestamp: timestamp(issued.expiresAt) },
  };
}
