import type { JsonObject } from '@fenestra/kube-api';

/** One program of the Windows nodes, with a namespace and an account of its own; everything it has is called alike. */
export interface Part {
  readonly name: string;
  readonly image: string;
  /** Files its pods read, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The environment of its pods, besides the node's name and address. */
  readonly variables: Variables;
  /** What its account may do in the cluster: a role that Kubernetes brings, or rules. */
  readonly rights: { readonly clusterRole: string } | { readonly rules: readonly JsonObject[] };
  /** What makes the pod what it is: a HostProcess pod, or one that uses wins. */
  readonly pod: PodShape;
}

/** A pod's variables by name: what they are, or the field of the pod that they are taken from. */
export type Variables = Readonly<Record<string, string | { readonly fieldPath: string }>>;

/** How a pod gets at the host. */
export interface PodShape {
  readonly command: readonly string[];
  readonly spec: JsonObject;
  readonly mounts: readonly JsonObject[];
  readonly volumes: readonly JsonObject[];
}

/** Where a pod finds its files and who it is for the API server, below the root of its container. */
export const MOUNTS = { files: '/mounts/files', access: '/mounts/access' } as const;
