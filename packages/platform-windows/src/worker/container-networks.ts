import type { ContainerNetwork, ContainerNetworks } from '@fenestra/platform';
import { OperatorError, parseJson } from '@fenestra/kernel';
import type { Native } from '../native.ts';

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

/** One thing that the Host Networking Service keeps: a network, or an endpoint on one. */
export type NetworkingObject = Readonly<Record<string, unknown>>;

/** Asks the Host Networking Service; `undefined` where Windows has none. What it refuses is `SYSTEM_CALL_FAILED`. */
function askHostNetworking(native: Native, method: 'GET' | 'DELETE', path: string): unknown {
  const { HNSCall, CoTaskMemFree } = native.hostNetworking;
  if (HNSCall === undefined) return undefined;
  const response: [bigint | null] = [null];
  const result = HNSCall(method, path, '', response);
  const [address] = response;
  const text = address === null ? '' : native.readText(address);
  if (address !== null) CoTaskMemFree(address);
  if (result < 0) throw refused(method, path, `HRESULT 0x${(result >>> 0).toString(16)}`);
  return outputOf(text, method, path);
}

/** What an answer holds: `{"Success": true, "Output": …}`, or an error in words. */
export function outputOf(text: string, method: string, path: string): unknown {
  const answer = parseJson(text);
  if (!isObject(answer)) throw refused(method, path, 'the answer is not JSON');
  if (answer['Success'] === true) return answer['Output'];
  throw refused(method, path, typeof answer['Error'] === 'string' ? answer['Error'].trim() : 'no reason is given');
}

function objectsOf(output: unknown): readonly NetworkingObject[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}

function isObject(value: unknown): value is NetworkingObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(method: string, path: string, reason: string): OperatorError {
  const verb = method === 'GET' ? 'list' : 'remove';
  return new OperatorError('SYSTEM_CALL_FAILED', `Cannot ${verb} "${path}" of the Host Networking Service: ${reason}`, {
    hint: 'See whether the service "hns" runs: sc.exe query hns',
  });
}
