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
