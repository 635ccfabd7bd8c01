import type { ContainerNetwork, ContainerNetworks } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { askHostNetworking, objectsOf, type NetworkingObject } from './host-networking.ts';

/** Networks as the Host Networking Service keeps them. */
export function windowsContainerNetworks(native: Native): ContainerNetworks {
  return {
    list: async () => listNetworks(native),
    async remove(id) {
      if (!isThere(native, id)) return;
      for (const endpoint of endpointsOn(native, id)) removeUnlessGone(native, 'endpoints', endpoint);
      removeUnlessGone(native, 'networks', id);
    },
  };
}

/** The networks of an answer; what has no id or no name is none. */
export function toNetworks(output: unknown): readonly ContainerNetwork[] {
  return objectsOf(output).flatMap((network) => {
    const [id, name, type] = ['ID', 'Name', 'Type'].map((key) => textOf(network, key));
    return id === undefined || name === undefined ? [] : [{ id, name, type: type ?? 'unknown' }];
  });
}

/** The ids of the endpoints that are on a network. */
export function toEndpoints(output: unknown, network: string): readonly string[] {
  const own = objectsOf(output).filter((endpoint) => isSame(textOf(endpoint, 'VirtualNetwork') ?? '', network));
  return own.flatMap((endpoint) => textOf(endpoint, 'ID') ?? []);
}

function listNetworks(native: Native): readonly ContainerNetwork[] {
  return toNetworks(askHostNetworking(native, 'GET', '/networks/'));
}

function endpointsOn(native: Native, network: string): readonly string[] {
  return toEndpoints(askHostNetworking(native, 'GET', '/endpoints/'), network);
}

function isThere(native: Native, id: string): boolean {
  return listNetworks(native).some((network) => isSame(network.id, id));
}

/** A plugin may clean up at the same time. */
function removeUnlessGone(native: Native, kind: 'endpoints' | 'networks', id: string): void {
  try {
    askHostNetworking(native, 'DELETE', `/${kind}/${id}`);
  } catch (error) {
    const left = objectsOf(askHostNetworking(native, 'GET', `/${kind}/`));
    if (left.some((object) => isSame(textOf(object, 'ID') ?? '', id))) throw error;
  }
}

function textOf(object: NetworkingObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Windows writes ids in either case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
