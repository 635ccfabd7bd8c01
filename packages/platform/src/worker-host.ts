import type { ServiceState } from './service-manager.ts';

/** What a Linux machine is, as far as only a kubelet, or an agent that runs pods, cares. */
export interface LinuxWorkerFacts {
  readonly os: 'linux';
  /** Swap that is in use; a kubelet refuses to start with it by default. */
  readonly swap: readonly string[];
  /** Of the programs a kubelet calls, those that are not in the PATH. */
  readonly missingPrograms: readonly string[];
  /** Whether IPv4 packets are passed on; `undefined` where the system does not say. */
  readonly forwarding: boolean | undefined;
  readonly cgroups: 'v1' | 'v2' | 'none';
  /** The controllers of control groups that can be used. */
  readonly cgroupControllers: readonly string[];
  /** Whether programs on this machine can get CAP_SYS_RESOURCE, which lower out-of-memory scores need. */
  readonly allowsLowerOomScores: boolean;
}

/** The same of a Windows machine. */
export interface WindowsWorkerFacts {
  readonly os: 'windows';
  /** `C:`. */
  readonly systemDrive: string;
  readonly build: number;
  /** Whether the Containers feature is on; `undefined` where the system does not say. */
  readonly containersFeature: boolean | undefined;
  /** The Host Networking Service. */
  readonly networkService: ServiceState;
  /** containerd as a service; `absent` where it is not registered. */
  readonly containerdService: ServiceState;
  /** The drive this program runs from. */
  readonly programDrive: string;
}

/** What only a machine that runs pods is asked for. Reading it changes nothing. */
export type WorkerHostFacts = LinuxWorkerFacts | WindowsWorkerFacts;

/** A network that containers are attached to, as the system keeps it (Windows: the Host Networking Service). */
export interface ContainerNetwork {
  readonly id: string;
  readonly name: string;
  /** `Overlay`, `L2Bridge`, `NAT`, … */
  readonly type: string;
}

/** The networks of containers that the system itself keeps. Linux keeps none: they belong to the plugins there. */
export interface ContainerNetworks {
  list(): Promise<readonly ContainerNetwork[]>;
  /** Removes a network with all endpoints on it; an absent one is fine. */
  remove(id: string): Promise<void>;
}

/** Traffic to let in. */
export interface FirewallRule {
  /** By which it is found again; ours all begin with `fenestra-`. */
  readonly name: string;
  readonly description: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** The system's own firewall. */
export interface Firewall {
  /** Whether there is one that is ours to tell. Where there is none, every method has nothing to do. */
  readonly managed: boolean;
  /** Whether the rule is in force; `unknown` where the system does not say. */
  state(rule: FirewallRule): Promise<'open' | 'closed' | 'unknown'>;
  /** Lets the traffic in; again is fine. */
  open(rule: FirewallRule): Promise<void>;
  /** Forgets the rule of this name; an absent one is fine. */
  close(name: string): Promise<void>;
}
