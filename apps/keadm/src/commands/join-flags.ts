import { isIPv4, isIPv6 } from 'node:net';
import { OperatorError } from '@fenestra/kernel';
import type { JoinWishes } from '@fenestra/lifecycle';
import { readText } from '@fenestra/platform';
import type { KeadmEnvironment } from '../platform.ts';
import { toPort, type HealthFlags, type LifecycleFlags } from './lifecycle-options.ts';

/** The options of `keadm join`. */
export interface JoinFlags extends LifecycleFlags, HealthFlags {
  readonly cloudcoreIp?: string;
  readonly cloudcoreIpport?: string;
  readonly hubPort?: number;
  readonly certport?: number;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly edgenodeName?: string;
  readonly labels?: readonly string[];
  readonly remoteRuntimeEndpoint?: string;
  readonly cgroupdriver?: string;
  readonly restartDelays?: readonly number[];
  readonly config?: string;
  readonly set: readonly string[];
  readonly from?: string;
  readonly tarballpath?: string;
  readonly version?: string;
  readonly kubeedgeVersion?: string;
  readonly trustKey: readonly string[];
  readonly skipCheck: readonly string[];
}

type CloudFlags = Pick<JoinFlags, 'cloudcoreIp' | 'cloudcoreIpport' | 'hubPort' | 'certport' | 'config'>;

/** Where the flags have the cloud; `undefined` if they leave it to the configuration. */
export function cloudPlace(flags: CloudFlags): JoinWishes['cloud'] {
  const { cloudcoreIp, cloudcoreIpport, hubPort, certport: certificatePort } = flags;
  const given = cloudcoreIp ?? cloudcoreIpport;
  if (given === undefined && flags.config === undefined) throw missingCloudAddress();
  if (given === undefined) return undefined;
  const { host, port } = splitAddress(given);
  return { host, hubPort: hubPort ?? port, certificatePort };
}

/** `a=b` each; a label without a value has an empty one, as Kubernetes has it. */
export function toLabels(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map((pair) => splitLabel(pair)));
}

const MAX_RESTART_DELAYS = 10;
const LONGEST_RESTART_DELAY_SECONDS = 3600;

/** The waits before the first, second, … restart of the agent, in seconds; the last one repeats. */
export function toRestartDelays(text: string): readonly number[] {
  const delays = text.split(',').map((part) => (/^\d{1,4}$/.test(part.trim()) ? Number(part) : 0));
  const inLimits = delays.every((delay) => delay >= 1 && delay <= LONGEST_RESTART_DELAY_SECONDS);
  const grows = delays.every((delay, index) => delay >= (delays[index - 1] ?? 0));
  if (inLimits && grows && delays.length <= MAX_RESTART_DELAYS) return delays;
  throw new OperatorError('USAGE', `Cannot use "${text}" as restart delays`, {
    hint: `Give 1 to ${MAX_RESTART_DELAYS} delays in whole seconds, from 1 to ${LONGEST_RESTART_DELAY_SECONDS}, none shorter than the one before, such as "5,30,300".`,
  });
}

/** A name, an IPv4 address or an IPv6 address, with or without a port. */
function splitAddress(text: string): { readonly host: string; readonly port: number | undefined } {
  if (isIPv6(text)) return { host: text, port: undefined };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^\s\p{Cc}:/?#@%\\[\]]+))(?::(\d+))?$/u.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || (bracketed === undefined ? !isHost(host) : !isIPv6(host) || host.includes('%')))
    throw noAddress(text);
  return { host, port: port === undefined ? undefined : toPort(port) };
}

/** A name whose last label is a number is read as an IPv4 address by the URL standard: "256.1.1.1" is none, "1.2.3" is another. */
function isHost(text: string): boolean {
  if (isIPv4(text)) return true;
  const url = `https://${text}`;
  return URL.canParse(url) && !isIPv4(new URL(url).hostname);
}

function splitLabel(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=');
  if (equals > 0) return [pair.slice(0, equals), pair.slice(equals + 1)];
  throw new OperatorError('USAGE', `Cannot use "${pair}" as a label`, { hint: 'Give labels like "zone=north".' });
}

function missingCloudAddress(): OperatorError {
  return new OperatorError('USAGE', 'Missing the address of the cloud', {
    hint: 'Give it with "--cloudcore-ip", or in a configuration file with "--config".',
  });
}

function noAddress(text: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "${text}" as the address of the cloud`, {
    hint: 'Give a host name or an IP address, such as "10.0.0.5" or "cloud.example:10000".',
  });
}

const TOKEN_VARIABLE = 'KEADM_TOKEN';
const STANDARD_INPUT = '-';

/** The join token, from wherever the operator has put it; `undefined` if nowhere. It is secret. */
export async function readToken(
  { variables, readInput, terminal }: Pick<KeadmEnvironment, 'variables' | 'readInput' | 'terminal'>,
  { token, tokenFile }: Pick<JoinFlags, 'token' | 'tokenFile'>,
): Promise<string | undefined> {
  if (token !== undefined && tokenFile !== undefined) throw onlyOne();
  if (tokenFile !== undefined) return (await readText(tokenFile, `the token in "${tokenFile}"`)).trim();
  if (token === STANDARD_INPUT) return (await readInput()).trim();
  if (token !== undefined) {
    terminal.err(
      `Note: the process list shows a token given as a flag; "--token-file", "--token -" and ${TOKEN_VARIABLE} do not.\n`,
    );
  }
  return token ?? variables[TOKEN_VARIABLE];
}

function onlyOne(): OperatorError {
  return new OperatorError('USAGE', 'Cannot use two tokens', {
    hint: 'Give either "--token" or "--token-file".',
  });
}
