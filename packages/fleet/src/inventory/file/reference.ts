import { isMapping, type Mapping } from '@fenestra/contracts/reading';
import * as z from 'zod/mini';
import { BatchFile } from './schema.ts';

/** The files of `docs/reference` about the batch file, by name. */
export function batchFileReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([['batch.schema.json', schemaText()]]);
}

function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(BatchFile, { io: 'input', reused: 'inline' });
  return `${JSON.stringify({ $schema, title: 'The file of keadm batch', ...annotate(schema, '') }, undefined, 2)}\n`;
}

/** What a key means, by the longest end of its path that something is said about. */
function batchMeaning(path: string): string | undefined {
  const parts = path.split(/\.|(?=\[)/);
  const ends = parts.map((_, index) => parts.slice(index).join('.').replaceAll('.[', '['));
  return ends.map((end) => BATCH_MEANINGS[end]).find((meaning) => meaning !== undefined);
}

/** Adds what each key means. An alternative is at the same place, so it is described once, around all of them. */
function annotate(node: Mapping, path: string): Mapping {
  const { properties, items, anyOf, additionalProperties: rest, ...plain } = node;
  const description = batchMeaning(path);
  return {
    ...(description === undefined ? {} : { description }),
    ...plain,
    ...(isMapping(properties)
      ? { properties: mapValues(properties, (key) => `${path === '' ? '' : `${path}.`}${key}`) }
      : {}),
    ...(isMapping(items) ? { items: annotate(items, `${path}[]`) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((option: unknown) => alternative(option, path)) } : {}),
    ...(rest === undefined ? {} : { additionalProperties: isMapping(rest) ? annotate(rest, `${path}.*`) : rest }),
  };
}

function mapValues(properties: Mapping, pathOf: (key: string) => string): Mapping {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, isMapping(value) ? annotate(value, pathOf(key)) : value]),
  );
}

/** An element of a list that may also stand alone means the same there. */
function alternative(option: unknown, path: string): unknown {
  if (!isMapping(option)) return option;
  const { items, ...rest } = option;
  const { description: _, ...annotated } = annotate(rest, path);
  return items === undefined ? annotated : { ...annotated, items: alternative(items, path) };
}

/** What the keys of a batch file mean, by the longest end of their paths that fits. For the reference only. */
export const BATCH_MEANINGS: Readonly<Record<string, string>> = {
  keadm: 'The source of the executables, and the wildcards of commands.',
  download: 'Fetching packed executables.',
  'download.enable': 'Whether they are fetched from the url. False also keeps a given url from being used.',
  'download.url': 'Where "keadm-<version>-<os>-<arch>.tar.gz" is fetched from. Empty means not set.',
  keadmVersion: 'The version of the packed executables.',
  archGroup: 'The architectures to have executables ready for. Without it, all.',
  'archGroup[]': 'An architecture.',
  offlinePackageDir: 'A folder with "<arch>/keadm-<version>-<os>-<arch>.tar.gz". Empty means not set.',
  keadmBinDir: 'A folder with "<arch>/keadm", unpacked. Empty means not set.',
  cmdTplArgs: 'What wildcards stand for: a text or a reference to a secret (env:, file:, command:).',
  'cmdTplArgs.*': 'What "{{name}}" and "{{.name}}" are replaced by.',
  maxRunNum: 'Nodes in progress at the same time: the same as limits.connections.',
  limits: 'Limits on concurrency.',
  'limits.connections': 'Connections that are open at the same time. By default 32.',
  'limits.bytesInFlight': 'Bytes in transit to nodes, such as "256MiB". By default "4GiB".',
  'limits.disrupted': 'Nodes that are being changed: a number, or a share of all. By default as many as connections.',
  waves: 'The nodes of each wave, in order. The remaining nodes form a last wave.',
  'waves[]': 'One wave.',
  'waves[].name': 'Its name. By default "wave-1" and so on.',
  'waves[].size': 'How many nodes: a number, or a share of all such as "10%". By default all that are left.',
  'waves[].labels': 'Only nodes with these labels.',
  'waves[].soak': 'How long its nodes have to stay healthy before the next wave starts. Default: 0.',
  halt: 'How many failures halt the run.',
  'halt.failedPercent': 'The highest share of a wave that may fail.',
  'halt.failedNodes': 'How many nodes may fail in the whole run.',
  onHalt: 'What happens to the changed nodes of the wave in which the run halts. By default "hold".',
  unreachable: 'Whether a node that is unreachable at the start prevents the run. Default: "go-on".',
  delivery: 'How files get to nodes. "auto" lets nodes fetch them if they can reach this machine.',
  compress: 'Whether executables travel compressed. "auto" does so wherever a network is in between.',
  allowClearSecrets: 'Accepts plain-text secrets even in a file that other users can read.',
  defaults: 'Defaults for every node.',
  groups: 'Groups of nodes by name, and their settings.',
  'groups.*': 'Settings for the nodes of the group.',
  maxDisrupted: 'Nodes of the group that are being changed at the same time: a number, or a share of the group.',
  jumps: 'Jump hosts by name.',
  'jumps.*': 'How to log in to the jump host. The default for each setting is in defaults.ssh.',
  nodes: 'The machines.',
  'nodes[]': 'One machine.',
  nodeName: 'The name of the node in this file. It must be unique.',
  'nodes[].groups': 'The groups of the node. If several set a field, the last one wins.',
  arch: 'Ignored; accepted in older files. keadm detects it on each node.',
  keadmCmd: 'The keadm command line for the node, without "keadm". It is not interpreted by a shell.',
  copyFrom: 'A folder whose content is sent to the node, subfolders included. Empty means not set.',
  os: 'The operating system. Default: detected.',
  labels: 'Labels for waves and for "{{labels.NAME}}".',
  'labels.*': 'The value of a label.',
  become: 'How to become root if the account is not root.',
  'become.enable': 'False overrides a group or the defaults.',
  'become.method': 'By default "sudo".',
  'become.password': 'The password for it: a reference to a secret.',
  retries: 'How often keadm retries what may succeed later.',
  'retries.attempts': 'Attempts at each operation. By default 4.',
  'retries.firstDelay': 'The longest delay before the second attempt, doubled for each later one. By default "2s".',
  'retries.longestDelay': 'The longest delay. By default "1m".',
  timeouts: 'Timeouts.',
  'timeouts.connect': 'From the first packet until logged in. By default "20s".',
  'timeouts.silence': 'A connection that is idle for this long counts as lost. Default: "30s".',
  'timeouts.deliver': 'For sending everything. By default "30m".',
  'timeouts.command': 'For the command itself. By default "30m".',
  ssh: 'How to log in.',
  ip: 'The name or address; IPv6 with or without brackets.',
  username: 'The account.',
  port: 'By default 22.',
  auth: 'One login method, or a list in order of preference. By default the ssh agent, then the keys in ~/.ssh.',
  'auth.type': 'Which way.',
  passwordAuth: 'For the type "password".',
  'passwordAuth.password': 'A reference to a secret, or the password itself.',
  privateKeyAuth: 'For the type "privateKey".',
  privateKeyPath: 'The file of the key.',
  passphrase: 'The passphrase of the key: a reference to a secret.',
  certificatePath: 'The file of a certificate for the key.',
  agentAuth: 'For the type "agent".',
  socket: 'The socket of the agent. Default: $SSH_AUTH_SOCK.',
  keyboardInteractiveAuth: 'For the type "keyboard-interactive".',
  answer: 'The answer to every prompt: a reference to a secret.',
  hostKey:
    'Fingerprints (SHA256:…) or public keys of the machine; no other is accepted. Without any, known_hosts decides.',
  transport:
    'The library, or the ssh program of this system. By default "auto": the library, and ssh for what it cannot do.',
  jump: 'Jump hosts, the nearest first: names from jumps, or login settings.',
};
