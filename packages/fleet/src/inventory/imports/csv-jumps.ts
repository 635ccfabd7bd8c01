import { isIPv6 } from 'node:net';
import type { BatchFile, JumpSettings, NodeSettings } from '../file/schema.ts';
import { nodeNameOf, portOf, type Remarks } from './imported.ts';

/** A machine on the way as ssh takes it, `user@host:port`; undefined if it is not written so. */
export function jumpHost(written: string): (JumpSettings & { readonly ip: string }) | undefined {
  if (isIPv6(written)) return { ip: written };
  const [, username, ip, port] = /^(?:([^@\s]+)@)?(\[[^\]]+\]|[^:@[\]\s]+)(?::(\d+))?$/.exec(written) ?? [];
  const number = portOf(port ?? '');
  if (ip === undefined || (port !== undefined && number === undefined)) return undefined;
  return { ip, ...(username === undefined ? {} : { username }), ...(number === undefined ? {} : { port: number }) };
}

/** Nodes with the names of the machines on their way, and how to log in to those. */
export interface NodesWithJumps {
  readonly nodes: readonly NodeSettings[];
  readonly jumps: BatchFile['jumps'];
}

/** Gives the machines names that the nodes' cells say are on the way, and puts down what is known of each. */
export function nameJumps(nodes: readonly NodeSettings[], remarks: Remarks): NodesWithJumps {
  const words = [...new Set(nodes.flatMap(wordsOf))];
  if (words.length === 0) return { nodes, jumps: undefined };
  const names = namesOf(words);
  const nameOf = (word: string): string => names.get(word) ?? word;
  return {
    nodes: nodes.map((node) => withNames(node, wayTo(node, nodes).map(nameOf))),
    jumps: Object.fromEntries(words.map((word) => [nameOf(word), jumpSettings(word, nodes, remarks)])),
  };
}

function wordsOf({ ssh }: NodeSettings): readonly string[] {
  return [ssh?.jump ?? []].flat().filter((jump) => typeof jump === 'string');
}

/** The first machine on the way may have a row that says how it is reached itself; two that lead to each other end it. */
function wayTo(node: NodeSettings, nodes: readonly NodeSettings[], later: readonly string[] = []): readonly string[] {
  const words = wordsOf(node);
  const [first = ''] = words;
  const row = nodes.find(({ nodeName }) => nodeName === first);
  if (row === undefined || row === node || later.includes(first)) return words;
  return [...wayTo(row, nodes, [...later, first]), ...words];
}

function withNames(node: NodeSettings, jump: readonly string[]): NodeSettings {
  return jump.length === 0 ? node : { ...node, ssh: { ...node.ssh, jump: [...jump] } };
}

/** Words that differ only in characters that a name cannot have get a number. */
function namesOf(words: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const word of words) {
    const plain = nodeNameOf(word);
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain}-${number}`;
    taken.add(name);
    names.set(word, name);
  }
  return names;
}

/** A machine with a separate row is reached as that says; of any other one only the address is known. */
function jumpSettings(word: string, nodes: readonly NodeSettings[], remarks: Remarks): JumpSettings {
  const row = nodes.find(({ nodeName }) => nodeName === word)?.ssh;
  if (row !== undefined) {
    const { jump: _, ...login } = row;
    return login;
  }
  const host: JumpSettings & { readonly ip: string } = jumpHost(word) ?? { ip: word };
  if (!/[.:]/.test(host.ip))
    remarks.add(`The jump host "${word}" is reached by that name: put its address under "jumps"`);
  return { ...host, username: host.username ?? usernameBehind(word, nodes, remarks) };
}

/** Who says nothing else logs in there as to the nodes behind it. */
function usernameBehind(word: string, nodes: readonly NodeSettings[], remarks: Remarks): string | undefined {
  const behind = nodes.filter((node) => wordsOf(node).includes(word));
  const [username, ...others] = new Set(behind.map(({ ssh }) => ssh?.username));
  if (others.length === 0) return username;
  remarks.add(`The jump host "${word}" has no account: put one under "jumps"`);
  return undefined;
}
