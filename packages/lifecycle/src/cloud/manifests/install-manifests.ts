import { isJsonArray, type Json, OperatorError } from '@fenestra/kernel';
import {
  type ApiKind,
  apiVersionOf,
  isJsonObject,
  KINDS,
  type KubeApi,
  type KubeObject,
  listAt,
  pause,
  stringAt,
} from '@fenestra/kube-api';

/** What an installation does, or would do, to one object. */
export interface ManifestChange {
  readonly action: 'create' | 'update' | 'none';
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What is installed, and whether for real. */
export interface InstallOptions {
  readonly manifests: readonly KubeObject[];
  readonly dryRun: boolean;
}

/**
 * Brings the API server to what the manifests say and shows what it changed; with `dryRun` only tells. New kinds are
 * in use when it returns. Safe to run again and beside another.
 */
export async function installManifests(
  api: KubeApi,
  { manifests, dryRun }: InstallOptions,
  signal: AbortSignal,
): Promise<readonly ManifestChange[]> {
  const changes: ManifestChange[] = [];
  for (const manifest of manifests) {
    const action = await actionFor(api, manifest, signal);
    const { name, namespace } = manifest.metadata;
    changes.push({ action, kind: manifest.kind ?? '', name, ...(namespace === undefined ? {} : { namespace }) });
    if (!dryRun) await apply(api, manifest, action, signal);
  }
  if (!dryRun) for (const manifest of manifests) await waitForKind(api, manifest, signal);
  return changes;
}

async function actionFor(api: KubeApi, manifest: KubeObject, signal: AbortSignal): Promise<ManifestChange['action']> {
  const present = await api.find(kindOf(manifest), manifest.metadata, signal);
  if (present === undefined) return 'create';
  return isAsWanted(manifest, present) ? 'none' : 'update';
}

async function apply(
  api: KubeApi,
  manifest: KubeObject,
  action: ManifestChange['action'],
  signal: AbortSignal,
): Promise<void> {
  const kind = kindOf(manifest);
  if (action === 'none') return;
  if (action === 'create' && (await tryCreate(api, kind, manifest, signal))) return;
  await api.patch(kind, manifest.metadata, { type: 'merge', body: manifest }, signal);
}

/** False if someone else was faster. */
async function tryCreate(api: KubeApi, kind: ApiKind, manifest: KubeObject, signal: AbortSignal): Promise<boolean> {
  try {
    await api.create(kind, manifest, signal);
    return true;
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'API_CONFLICT') return false;
    throw error;
  }
}

const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

async function waitForKind(api: KubeApi, manifest: KubeObject, signal: AbortSignal): Promise<void> {
  if (manifest.kind !== KINDS.customResourceDefinition.kind) return;
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline;) {
    signal.throwIfAborted();
    const definition = await api.get(KINDS.customResourceDefinition, manifest.metadata, signal);
    if (listAt(definition, 'status', 'conditions').some(isEstablished)) return;
    await pause(LOOK_MS, signal);
  }
  throw new OperatorError('TIMED_OUT', `Cannot install "${manifest.metadata.name}": the API server does not serve it`, {
    hint: `Look at the conditions of CustomResourceDefinition "${manifest.metadata.name}".`,
  });
}

function isEstablished(condition: Parameters<typeof stringAt>[0]): boolean {
  return stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True';
}

function kindOf(manifest: KubeObject): ApiKind {
  const { apiVersion, kind } = manifest;
  const found = Object.values(KINDS).find((known) => apiVersionOf(known) === apiVersion && known.kind === kind);
  if (found === undefined) throw new Error(`no such kind: ${apiVersion} ${kind}`);
  return found;
}

/** Whether everything that is wanted is there. What the server has added on its own is not a difference. */
function isAsWanted(wanted: Json | undefined, present: Json | undefined): boolean {
  if (isJsonArray(wanted)) {
    const there = isJsonArray(present) ? present : [];
    return wanted.length === there.length && wanted.every((item, index) => isAsWanted(item, there[index]));
  }
  if (!isJsonObject(wanted)) return wanted === present;
  return isJsonObject(present) && Object.entries(wanted).every(([key, value]) => isAsWanted(value, present[key]));
}
