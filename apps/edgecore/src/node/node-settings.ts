import { durationMilliseconds, type EdgecoreConfig } from '@fenestra/contracts';

/** A taint the node registers with. */
export type NodeTaint = { readonly key: string; readonly value?: string; readonly effect: string };

/** What the configuration says about the node. Plain data: a reload compares it. */
export interface NodeSettings {
  readonly name: string;
  readonly address: string;
  readonly interfaceName: string;
  /** Where the cloud is: the node's address is the one from which it is reached. */
  readonly cloud: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly NodeTaint[];
  readonly schedulable: boolean;
  readonly register: boolean;
  readonly maxPods: number;
  /** Zero for no limit by processors. */
  readonly podsPerCore: number;
  /** The folder whose disk counts as the node's. */
  readonly rootDirectory: string;
  readonly evictionHard: Readonly<Record<string, string>>;
  /** What the system and the kubelet keep for themselves, one after the other. */
  readonly reserved: readonly Readonly<Record<string, string>>[];
  /** How many images the status lists at most. */
  readonly maxImages: number;
  readonly updateMs: number;
  readonly reportMs: number;
  readonly leaseSeconds: number;
  readonly edgedEnabled: boolean;
  /** Where the container runtime listens. */
  readonly runtimeEndpoint: string;
}

/** Reads the node's part of the configuration. */
export function nodeSettings({ modules }: EdgecoreConfig): NodeSettings {
  const { edged, edgeHub } = modules;
  const kubelet = edged.tailoredKubeletConfig;
  return {
    name: edged.hostnameOverride,
    address: edged.nodeIP,
    interfaceName: edged.customInterfaceName,
    cloud: edgeHub.websocket.server,
    labels: edged.nodeLabels,
    taints: (kubelet.registerWithTaints ?? []).map(({ key, value, effect }) => taint(key, value, effect)),
    schedulable: edged.registerSchedulable,
    register: kubelet.registerNode,
    maxPods: kubelet.maxPods,
    podsPerCore: kubelet.podsPerCore,
    rootDirectory: edged.rootDirectory,
    evictionHard: kubelet.evictionHard,
    reserved: [kubelet.systemReserved ?? {}, kubelet.kubeReserved ?? {}],
    maxImages: kubelet.nodeStatusMaxImages === -1 ? Infinity : kubelet.nodeStatusMaxImages,
    updateMs: durationMilliseconds(kubelet.nodeStatusUpdateFrequency),
    reportMs: durationMilliseconds(kubelet.nodeStatusReportFrequency),
    leaseSeconds: kubelet.nodeLeaseDurationSeconds,
    edgedEnabled: edged.enable,
    runtimeEndpoint: kubelet.containerRuntimeEndpoint,
  };
}

function taint(key: string, value: string | undefined, effect: string): NodeTaint {
  return { key, ...(value ? { value } : {}), effect };
}
