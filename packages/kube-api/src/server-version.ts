import { OperatorError, isJsonObject, stringAt, type JsonObject } from '@fenestra/kernel';
import type { KubeApi } from './kube-api.ts';

/** The version a server says it is: `v1.33.1`, perhaps with a vendor's suffix. */
export async function readServerVersion(api: Pick<KubeApi, 'server' | 'text'>, signal: AbortSignal): Promise<string> {
  const version = stringAt(parse(await api.text('/version', signal)), 'gitVersion');
  if (version !== '') return version;
  throw new OperatorError('API_FAILED', `Cannot read the version of the Kubernetes API at "${api.server}"`, {
    hint: 'Check that the address leads to a Kubernetes API.',
  });
}

function parse(body: string): JsonObject {
  try {
    const answer: unknown = JSON.parse(body);
    return isJsonObject(answer) ? answer : {};
  } catch {
    return {};
  }
}
