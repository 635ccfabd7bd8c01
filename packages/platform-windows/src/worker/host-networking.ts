import { OperatorError, parseJson } from '@fenestra/kernel';
import type { Native } from '../native.ts';

/** One thing that the Host Networking Service keeps: a network, or an endpoint on one. */
export type NetworkingObject = Readonly<Record<string, unknown>>;

/** Asks the Host Networking Service; `undefined` where Windows has none. What it refuses is `SYSTEM_CALL_FAILED`. */
export function askHostNetworking(native: Native, method: 'GET' | 'DELETE', path: string): unknown {
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

/** The objects of a list; anything else is none. */
export function objectsOf(output: unknown): readonly NetworkingObject[] {
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
