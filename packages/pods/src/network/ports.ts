import type { Container, ContainerPort } from '../pod/container-fields.ts';
import { isSidecar, type Pod } from '../pod/pod.ts';

/** A port of the node that leads to a container, in the form of the runtime interface. */
export interface PortMapping {
  readonly protocol: 0 | 1 | 2;
  readonly containerPort: number;
  readonly hostPort: number;
  readonly hostIp: string;
}

const PROTOCOLS = { TCP: 0, UDP: 1, SCTP: 2 } as const;

/** The ports of the node that the runtime has to lead to a pod. On the network of the host there are none to lead. */
export function portMappings(pod: Pod): PortMapping[] {
  if (pod.spec.hostNetwork === true) return [];
  return hostPorts(pod).map(({ protocol, containerPort, hostPort = 0, hostIP = '' }) => ({
    protocol: PROTOCOLS[protocol],
    containerPort,
    hostPort,
    hostIp: hostIP,
  }));
}

/** The ports of the node that a pod takes. On the network of the host these are the ports of its containers. */
export function hostPorts({ spec }: Pod): readonly ContainerPort[] {
  const lasting = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
  return lasting
    .flatMap(({ ports = [] }) => ports)
    .map((port) => (spec.hostNetwork === true ? { ...port, hostPort: port.hostPort ?? port.containerPort } : port))
    .filter(({ hostPort = 0 }) => hostPort > 0);
}

/** Whether two pods cannot have these ports of the node at the same time. */
export function portsClash(one: ContainerPort, other: ContainerPort): boolean {
  if (one.hostPort !== other.hostPort || one.protocol !== other.protocol) return false;
  return isAnyAddress(one) || isAnyAddress(other) || one.hostIP === other.hostIP;
}

/** The number of a port that is given by number or by name; undefined for a name the container does not have. */
export function resolvePort({ ports = [] }: Container, port: number | string): number | undefined {
  if (typeof port === 'number') return port;
  const named = ports.find(({ name }) => name === port)?.containerPort;
  return named ?? (/^\d+$/.test(port) ? Number(port) : undefined);
}

function isAnyAddress({ hostIP = '' }: ContainerPort): boolean {
  return hostIP === '' || hostIP === '0.0.0.0' || hostIP === '::';
}
