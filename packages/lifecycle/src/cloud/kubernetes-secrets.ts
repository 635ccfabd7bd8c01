import { KINDS, objectAt, stringAt, type JsonObject, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import { OperatorError } from '@fenestra/kernel';

/** Named bytes, as a Kubernetes secret holds them. */
export type SecretData = Readonly<Record<string, Uint8Array>>;

/** Where the cloud's replicas keep what they share: the secrets of one namespace. */
export interface SecretStore {
  /** `undefined` when there is no such secret. */
  read(name: string, signal: AbortSignal): Promise<SecretData | undefined>;
  /**
   * Creates or changes a secret and returns what it holds afterwards. `change` is called again whenever another
   * replica was faster, so that what it returns always builds on what is there.
   */
  update(
    name: string,
    change: (current: SecretData | undefined) => SecretData,
    signal: AbortSignal,
  ): Promise<SecretData>;
}

const ATTEMPTS = 10;

/** The secrets of one namespace of a Kubernetes cluster. The namespace is made when it is missing. */
export function kubernetesSecrets(api: KubeApi, namespace: string): SecretStore {
  const find = async (name: string, signal: AbortSignal) => api.find(KINDS.secret, { namespace, name }, signal);
  return {
    async read(name, signal) {
      const secret = await find(name, signal);
      return secret && secretDataOf(secret);
    },
    async update(name, change, signal) {
      for (let attempt = 1; ; attempt += 1) {
        const secret = await find(name, signal);
        const data = change(secret && secretDataOf(secret));
        try {
          await store(api, secret ?? { metadata: { name, namespace } }, data, signal);
          return data;
        } catch (error) {
          if (!hasCode(error, 'API_CONFLICT') || attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}

/** A change in between makes this fail with `API_CONFLICT`. */
async function store(api: KubeApi, secret: KubeObject, data: SecretData, signal: AbortSignal): Promise<void> {
  const changed = { ...secret, type: secret['type'] ?? 'Opaque', data: encoded(data) };
  if (secret.metadata.resourceVersion !== undefined) {
    await api.update(KINDS.secret, changed, signal);
    return;
  }
  try {
    await api.create(KINDS.secret, changed, signal);
  } catch (error) {
    if (!hasCode(error, 'API_NOT_FOUND')) throw error;
    await createNamespace(api, secret.metadata.namespace ?? '', signal);
    await api.create(KINDS.secret, changed, signal);
  }
}

async function createNamespace(api: KubeApi, name: string, signal: AbortSignal): Promise<void> {
  try {
    await api.create(KINDS.namespace, { metadata: { name } }, signal);
  } catch (error) {
    if (!hasCode(error, 'API_CONFLICT')) throw error;
  }
}

/** The data of a Secret object. */
export function secretDataOf(secret: KubeObject): SecretData {
  const keys = Object.keys(objectAt(secret, 'data'));
  return Object.fromEntries(keys.map((key) => [key, Buffer.from(stringAt(secret, 'data', key), 'base64')]));
}

function encoded(data: SecretData): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')]));
}

function hasCode(error: unknown, code: OperatorError['code']): boolean {
  return error instanceof OperatorError && error.code === code;
}
