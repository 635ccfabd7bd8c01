import type { Json } from './json.ts';
import type { KubeObject, ObjectDraft } from './kube-object.ts';
import type { ObjectReader, ObjectService } from './object-service.ts';
import type { FieldProblem } from './status-error.ts';
import type { User } from './gatekeeper.ts';

/** What may be asked of a kind; discovery lists them as they stand here. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/**
 * One resource the API serves: everything the generic store and REST server need to know about it.
 * Built-in kinds are values in `kinds/`; CustomResourceDefinitions make them at run time and add them to the `KindRegistry`.
 * Versions of one resource share `group` and `plural`, and so share their stored objects.
 */
export interface ResourceKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The version objects are stored in, where it is not `version` itself. Conversion only rewrites `apiVersion`. */
  readonly storageVersion?: string;
  readonly kind: string;
  /** `<kind>List` unless given. */
  readonly listKind?: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /**
   * Whether `status` is apart: updates of the object then keep the stored status,
   * and `…/status` changes status alone (and metadata as Kubernetes allows).
   */
  readonly hasStatus: boolean;
  /** Whether a change outside metadata and status adds one to `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** Subresources besides `status`: `binding`, `eviction`, `approval`, `token` and so on. */
  readonly subresources: readonly Subresource[];
  readonly columns: readonly PrinterColumn[];
  /** Dotted paths for `fieldSelector`, besides `metadata.name` and `metadata.namespace`: `spec.nodeName`. */
  readonly selectableFields: readonly string[];
  /** Whether strategic merge patch is understood. Custom resources answer 415, as Kubernetes does. */
  readonly strategicMerge: boolean;
  /** Fills in what the caller left out. Runs on create and on update, before `validate`. */
  defaults?(object: KubeObject): KubeObject;
  /** Sets what only the server may set, or drops what a creator may not set. The default drops `status` where `hasStatus`. */
  prepareForCreate?(object: KubeObject, context: WriteContext): KubeObject;
  /** The same for an update. `previous` is what is stored now. */
  prepareForUpdate?(object: KubeObject, previous: KubeObject, context: WriteContext): KubeObject;
  /** Every problem at once; a caller gets them as one 422. `previous` is there on updates. */
  validate?(object: KubeObject, previous?: KubeObject): readonly FieldProblem[];
  /**
   * How many seconds a deletion waits for the node to confirm, given what the caller asked for.
   * Without it, or at 0, an object without finalizers is gone at once.
   */
  deletionGraceSeconds?(object: KubeObject, asked: number | undefined): number;
  /** Called when deletion has been asked for and the object stays (finalizers or grace): may set a phase. */
  prepareForDelete?(object: KubeObject, context: WriteContext): KubeObject;
  /** A kind that is answered and never stored, such as TokenReview: `create` returns what it makes. */
  answerCreate?(object: ObjectDraft, context: AnswerContext): KubeObject | Promise<KubeObject>;
  /** Says why an object may not be deleted (403), or nothing. */
  refuseDelete?(object: KubeObject): string | undefined;
  /**
   * Paths of the fields the kind does not know. `defaults` drops them; with `fieldValidation=Strict` they are a 400
   * (`strict decoding error: unknown field "spec.foo"`), with `Warn` a `Warning` header each.
   */
  unknownFields?(object: ObjectDraft): readonly string[];
  /** What to warn anyone who writes an object about: parts that are stored and that nothing here acts on. */
  warnings?(object: KubeObject): readonly string[];
  /** How strategic merge and server-side apply treat the list at a path of field names, indexes left out. Absent: as a whole. */
  listMerge?(path: readonly string[]): ListMerge | undefined;
}

/** `map` lists are merged item by item by `keys` (the first one is the patch merge key); `set` lists hold each value once. */
export type ListMerge = { readonly type: 'map'; readonly keys: readonly string[] } | { readonly type: 'set' };

/** What a write hook may look at. It runs inside the store's transaction: it must not wait. */
export interface WriteContext {
  readonly user: User;
  readonly now: Date;
  readonly dryRun: boolean;
  /** Reads of the state this write will be applied to. */
  readonly objects: ObjectReader;
}

/** What a subresource or a virtual kind may use. */
export interface AnswerContext {
  readonly user: User;
  readonly now: Date;
  readonly dryRun: boolean;
  readonly objects: ObjectService;
}

/** A named operation below an object: `POST …/pods/x/binding`. */
export interface Subresource {
  readonly name: string;
  /** What discovery says the body is, such as `Eviction` of `policy/v1`. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
  /** Answers the request; throw a `StatusError` to refuse. Not needed for `get`, `update` and `patch` of a plain part. */
  handle(request: SubresourceRequest): Promise<SubresourceAnswer>;
}

/** A request to a subresource. `body` is parsed JSON or YAML and absent for `get`; for `patch`, it is the patched object. */
export interface SubresourceRequest {
  readonly verb: Verb;
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
  readonly body: Json | undefined;
  readonly query: URLSearchParams;
  readonly context: AnswerContext;
  readonly signal: AbortSignal;
}

/** What a subresource answers: an object (or a Status), with 201 for things made. */
export interface SubresourceAnswer {
  readonly status: number;
  readonly body: Json;
}

/** One column of `kubectl get`. `priority` 0 always shows; higher ones with `-o wide`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  readonly format?: string;
  readonly description: string;
  readonly priority: number;
  /** The cell. Ages are already words ("5m") since a Table carries them so. */
  value(object: KubeObject, now: Date): Json;
}

/** Names a resource's stored objects: a `ResourceKind` is one. */
export interface ResourceRef {
  readonly group: string;
  readonly plural: string;
}

/** `pods`, `deployments.apps`: how a resource is spelled in messages and in the store. */
export function resourceName(resource: ResourceRef): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}
