import type { BatchEnvironment, BatchNode, Become, Retries } from '../batch.ts';
import { resolveWords } from '../command/secret-words.ts';
import { spanSeconds } from '../file/scalars.ts';
import type { NodeSettings, SharedSettings } from '../file/schema.ts';
import { type ReachLimits, remoteTarget } from '../remote-target.ts';
import type { Secret, SecretStore } from '../secrets.ts';
import type { Findings } from './findings.ts';
import { groupsOf, type Layer, layersOf, mergeNames, pick } from './layers.ts';
import { type Login, type LoginReading, readSecret } from './login.ts';
import { nodeCommand } from './node-command.ts';
import { nodeLogin } from './read-login.ts';

/** Everything that nodes are put together from. */
export interface NodeReading extends LoginReading {
  readonly environment: BatchEnvironment;
  readonly secrets: SecretStore;
  /** A folder of this machine that has to be there, by the field that names it. */
  readonly needsFolder: (path: string, field: string) => void;
}

/** A node, and how it is reached: what has to be compared with the others. */
export interface BuiltNode {
  readonly node: BatchNode;
  readonly login: Login;
}

/** Puts one node together from all that the file says about it. */
export function buildNode(settings: NodeSettings, path: string, reading: NodeReading): BuiltNode {
  const { file, findings, clear, secrets, environment } = reading;
  const layers = layersOf(settings, path, file, findings);
  const labels = mergeNames(layers, 'labels', (layer) => layer.labels);
  const name = settings.nodeName ?? '';
  if (name === '') findings.problem(`${path}.nodeName`, 'must be given');
  const command = nodeCommand({ node: settings, path, layers, labels }, file, findings, clear);
  const login = nodeLogin(path, layers, reading);
  const limits = reachLimits(layers);
  const node: BatchNode = {
    name,
    groups: groupsOf(settings),
    labels: Object.fromEntries([...labels].map(([label, { value }]) => [label, value])),
    shownCommand: command.shown,
    command: async (signal) => resolveWords(command.words, secrets, signal),
    copyFrom: copyFrom(layers, reading),
    os: pick(layers, 'os', ({ os }) => os)?.value,
    become: becomeOf(layers, reading),
    limits: {
      deliverSeconds: seconds(layers, 'deliver', '30m'),
      commandSeconds: seconds(layers, 'command', '30m'),
    },
    retries: retriesOf(layers),
    target: async (signal) => remoteTarget(name, login, { limits, secrets, environment }, signal),
  };
  return { node, login };
}

function copyFrom(layers: readonly Layer[], { paths, needsFolder }: NodeReading): string | undefined {
  const folder = pick(layers, 'copyFrom', (layer) => layer.copyFrom);
  if (folder === undefined) return undefined;
  needsFolder(folder.value, folder.path);
  return paths.resolve(folder.value);
}

type Timeouts = NonNullable<SharedSettings['timeouts']>;

function seconds(layers: readonly Layer[], field: keyof Timeouts, otherwise: string): number {
  return spanSeconds(pick(layers, `timeouts.${field}`, ({ timeouts }) => timeouts?.[field])?.value ?? otherwise);
}

function reachLimits(layers: readonly Layer[]): ReachLimits {
  return { connectSeconds: seconds(layers, 'connect', '20s'), idleTimeoutSeconds: seconds(layers, 'silence', '30s') };
}

function retriesOf(layers: readonly Layer[]): Retries {
  const first = pick(layers, 'retries.firstDelay', ({ retries }) => retries?.firstDelay)?.value ?? '2s';
  const longest = pick(layers, 'retries.longestDelay', ({ retries }) => retries?.longestDelay)?.value ?? '1m';
  return {
    attempts: pick(layers, 'retries.attempts', ({ retries }) => retries?.attempts)?.value ?? 4,
    firstDelaySeconds: spanSeconds(first),
    longestDelaySeconds: Math.max(spanSeconds(first), spanSeconds(longest)),
  };
}

/** Any layer that says something about it asks for it, unless a weightier one says `enable: false`. */
function becomeOf(layers: readonly Layer[], reading: NodeReading): Become | undefined {
  const mentioned = layers.some(({ settings }) => settings.become !== undefined);
  const enabled = pick(layers, 'become.enable', ({ become }) => become?.enable)?.value ?? mentioned;
  if (!enabled) return undefined;
  const method = pick(layers, 'become.method', ({ become }) => become?.method)?.value ?? 'sudo';
  const written = pick(layers, 'become.password', ({ become }) => become?.password);
  const secret = written && readSecret(written.value, written.path, reading);
  return { method, password: secret && lateSecret(secret, reading.secrets) };
}

function lateSecret(secret: Secret, secrets: SecretStore): (signal: AbortSignal) => Promise<string> {
  return async (signal) => secrets(secret, signal);
}

/** Reports nodes that have the name or the address of an earlier one. */
export function checkDuplicates(built: readonly BuiltNode[], findings: Findings): void {
  const names = new Map<string, number>();
  const addresses = new Map<string, number>();
  for (const [index, { node, login }] of built.entries()) {
    // Names become files, and some file systems ignore case.
    const sameName = earlier(names, node.name.toLowerCase(), index);
    if (node.name !== '' && sameName !== undefined) {
      findings.problem(`nodes[${index}].nodeName`, `is the name of nodes[${sameName}] already`);
    }
    const sameAddress = earlier(addresses, addressOf(login), index);
    if (login.host !== '' && sameAddress !== undefined) {
      findings.problem(`nodes[${index}].ssh.ip`, `is, with its port, the address of nodes[${sameAddress}] already`);
    }
  }
}

function earlier(seen: Map<string, number>, key: string, index: number): number | undefined {
  const first = seen.get(key);
  if (first === undefined) seen.set(key, index);
  return first;
}

/** Behind different jump hosts the same address is another machine. */
function addressOf({ host, port, jumps }: Login): string {
  return [...jumps, { host, port }].map((login) => `${login.host.toLowerCase()} ${login.port}`).join(' ');
}
