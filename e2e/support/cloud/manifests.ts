import { KINDS, type ApiKind, type JsonObject } from '@fenestra/kube-api';

/** An object as an administrator writes it. */
export interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/** The namespace everything here is in. */
export const NAMESPACE = 'default';

const WRITTEN = [KINDS.configMap, KINDS.secret, KINDS.pod];

/** The kind of an object the tests write. */
export function kindOf({ kind }: Manifest): ApiKind {
  const found = WRITTEN.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`The tests write no "${kind}"`);
  return found;
}

/** A ConfigMap with one text in it. */
export function configMap(name: string, text: string): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE }, data: { text } };
}

/** A Secret with one text in it. */
export function secret(name: string, text: string): Manifest {
  const data = { text: Buffer.from(text).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: NAMESPACE }, type: 'Opaque', data };
}

/** What a pod uses. */
export interface PodUses {
  readonly configMaps?: readonly string[];
  readonly secrets?: readonly string[];
}

/** A pod that is bound to a node manually, for what it uses has to be there. */
export function podOn(node: string, name: string, { configMaps = [], secrets = [] }: PodUses): Manifest {
  const envFrom = [
    ...configMaps.map((used) => ({ configMapRef: { name: used, optional: true } })),
    ...secrets.map((used) => ({ secretRef: { name: used, optional: true } })),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE },
    spec: { nodeName: node, containers: [{ name: 'main', image: 'none', envFrom }] },
  };
}
