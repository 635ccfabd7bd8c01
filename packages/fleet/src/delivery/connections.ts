import type { RemoteHost, RemoteHosts } from '@fenestra/platform';
import type { BatchNode } from '../inventory/batch-node.ts';
import { openApproach } from './approach.ts';
import { hasCode } from './failures.ts';

/** Connections to nodes, kept between the parts of their work. */
export interface Connections {
  /** Begins to connect to nodes that are worked on next. */
  approach(nodes: readonly BatchNode[]): void;
  /** Works on a node over a connection that is there, or a new one. Whatever is done may be done again. */
  use<T>(user: ConnectionUser, work: (host: RemoteHost) => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * Ends the connection to a node, if there is one. A light one's goodbye is not waited for until all is closed; others
   * are, because each keeps a program running, and a machine in between may allow only so many at a time.
   */
  drop(node: BatchNode): Promise<void>;
  close(): Promise<void>;
}

/** The node that is worked on, and its log. */
export interface ConnectionUser {
  readonly node: BatchNode;
  /** Told what there is to tell about a new connection. */
  readonly log: (line: string) => void;
}

/** How many connections that nobody uses are kept. */
export interface IdleConnections {
  /** Those that take no more than a little memory here. */
  readonly light: number;
  /** Those that keep a program running, here or on a machine in between. */
  readonly heavy: number;
}

/** Keeps at most so many connections that nobody uses; of the others, those that were used last. */
export function openConnections(hosts: RemoteHosts, most: IdleConnections): Connections {
  const approach = openApproach(hosts);
  /** The one that was used last is last. */
  const idle = new Map<string, RemoteHost>();
  const goodbyes = new Set<Promise<void>>();
  const take = (name: string): RemoteHost | undefined => {
    const host = idle.get(name);
    idle.delete(name);
    return host;
  };
  const keep = async (name: string, host: RemoteHost): Promise<void> => {
    const earlier = take(name);
    idle.set(name, host);
    await earlier?.close();
    const alike = [...idle].filter(([, other]) => isLight(other) === isLight(host));
    const [oldest] = alike[0] ?? [];
    if (oldest !== undefined && alike.length > most[isLight(host) ? 'light' : 'heavy']) await take(oldest)?.close();
  };
  const workOver = async <T>(name: string, host: RemoteHost, work: (host: RemoteHost) => Promise<T>): Promise<T> => {
    try {
      const result = await work(host);
      await keep(name, host);
      return result;
    } catch (error) {
      // A command that failed says nothing about the connection, but anything may be left open on it.
      await host.close();
      throw error;
    }
  };
  return {
    approach: (nodes) => approach.begin(nodes),
    async use({ node, log }, work, signal) {
      const kept = take(node.name);
      if (kept !== undefined) {
        try {
          return await workOver(node.name, kept, work);
        } catch (error) {
          // It had died while nobody used it: that is known only now.
          if (!hasCode(error, 'REMOTE_LOST')) throw error;
        }
      }
      const host = await approach.arrive(node, signal);
      if (host.remark !== undefined) log(host.remark);
      return workOver(node.name, host, work);
    },
    async drop({ name }) {
      const host = take(name);
      if (host === undefined) return;
      const goodbye = host.close().finally(() => goodbyes.delete(goodbye));
      goodbyes.add(goodbye);
      // What goes wrong with it is told to whoever waits, and is nobody's business else.
      goodbye.catch(() => undefined);
      if (!isLight(host)) await goodbye;
    },
    async close() {
      const all = [...idle.values()];
      idle.clear();
      await Promise.all([approach.end(), ...goodbyes, ...all.map(async (host) => host.close())]);
    },
  };
}

/** The system's ssh is a program of its own, and so is what a machine in between runs for each way through it. */
function isLight({ target: { jumps, transport } }: RemoteHost): boolean {
  return jumps.length === 0 && transport !== 'system';
}
