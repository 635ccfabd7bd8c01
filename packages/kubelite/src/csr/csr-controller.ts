import type { Logger } from '@fenestra/platform';
import type { KeyPair } from '../identity/open-identity.ts';
import { type JsonObject, numberAt, objectAt, stringAt, stringsAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { SYSTEM_USER, type ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { NODES } from '../auth/authorizer.ts';
import { tellFailure } from '../collector/repeat.ts';
import { conditionOf, withCondition } from '../kinds/conditions.ts';
import { CLIENT_SIGNER, parseRequest, refusalOf, SERVING_SIGNER } from './parse-request.ts';
import { signRequest } from './sign.ts';

/** What signing needs. */
export interface CsrControllerOptions {
  readonly objects: ObjectService;
  readonly kind: ResourceKind;
  readonly ca: KeyPair;
  readonly log: Logger;
  now(): Date;
}

const ONE_YEAR_SECONDS = 365 * 24 * 3600;

/** Signs approved requests of the kubelet signers, and approves a node's renewal of its client certificate. */
export function startCsrController(options: CsrControllerOptions, signal: AbortSignal): void {
  options.objects.follow(
    options.kind,
    ({ type, object }) => {
      if (type === 'DELETED' || !isOpen(object)) return;
      attend(object, options).catch((cause: unknown) => {
        const { name } = object.metadata;
        tellFailure(cause, 'Cannot attend to a certificate signing request', { name }, options.log, signal);
      });
    },
    signal,
  );
}

function isOpen(request: KubeObject): boolean {
  const signer = stringAt(request, 'spec', 'signerName');
  if (signer !== CLIENT_SIGNER && signer !== SERVING_SIGNER) return false;
  const status = objectAt(request, 'status');
  return stringAt(status, 'certificate') === '' && !conditionOf(status, 'Denied') && !conditionOf(status, 'Failed');
}

async function attend(request: KubeObject, options: CsrControllerOptions): Promise<void> {
  if (conditionOf(objectAt(request, 'status'), 'Approved')) await sign(request, options);
  else if (isRenewal(request)) await approve(request, options);
}

async function sign(request: KubeObject, options: CsrControllerOptions): Promise<void> {
  const parsed = parseRequest(stringAt(request, 'spec', 'request'));
  const refusal = parsed === undefined ? 'the request cannot be read' : refusalOf(request, parsed);
  if (parsed === undefined || refusal !== undefined) return fail(request, refusal ?? '', options);
  if (!(await parsed.request.verify())) return fail(request, 'the signature of the request is wrong', options);
  const terms = {
    usages: stringsAt(request, 'spec', 'usages'),
    seconds: numberAt(request, 'spec', 'expirationSeconds') || ONE_YEAR_SECONDS,
    now: options.now(),
  };
  const pem = await signRequest(parsed.request, terms, options.ca);
  await writeStatus(request, options, (status) => ({ ...status, certificate: Buffer.from(pem).toString('base64') }));
}

async function fail(request: KubeObject, message: string, options: CsrControllerOptions): Promise<void> {
  const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message } as const;
  await writeStatus(request, options, (status) => withCondition(status, failed, options.now()));
}

function isRenewal(request: KubeObject): boolean {
  if (stringAt(request, 'spec', 'signerName') !== CLIENT_SIGNER) return false;
  if (!stringsAt(request, 'spec', 'groups').includes(NODES)) return false;
  const parsed = parseRequest(stringAt(request, 'spec', 'request'));
  return parsed !== undefined && refusalOf(request, parsed) === undefined;
}

async function approve(request: KubeObject, options: CsrControllerOptions): Promise<void> {
  const message = 'The node renews its own client certificate';
  const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message } as const;
  await writeStatus(request, options, (status) => withCondition(status, approved, options.now()));
}

async function writeStatus(
  request: KubeObject,
  { objects, kind }: CsrControllerOptions,
  change: (status: JsonObject) => JsonObject,
): Promise<void> {
  await objects.update(
    kind,
    { namespace: '', name: request.metadata.name },
    // Another event may have led to the same work.
    (current) => (isOpen(current) ? { ...current, status: change(objectAt(current, 'status')) } : current),
    { user: SYSTEM_USER, subresource: 'status' },
  );
}
