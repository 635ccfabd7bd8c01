import type { RemoteHost, RemoteHosts } from '@fenestra/platform';
import type { BatchNode } from '../inventory/batch.ts';
import { hasCode } from './failures.ts';

/** Connections to nodes, kept between the parts of their work. */
export interface Connections {
  /** Works on a node over a connection that is there, or a new one. Whatever is done may be done again. */
  use<T>(user: ConnectionUser, work: (host: RemoteHost) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Closes the connection to a node, if there is one. */
  drop(node: BatchNode): Promise<void>;
  close(): Promise<void>;
}

/** The node that is worked on, and its log. */
export interface ConnectionUser {
  readonly node: BatchNode;
  /** Called with what there is to say about a new connection. */
  readonly log: (line: string) => void;
}

/** Keeps at most so many connections that no one uses, those that were used last. */
export function openConnections(hosts: RemoteHosts, mostIdle: number): Connections {
  /** The one that was used last is last. */
  const idle = new Map<string, RemoteHost>();
  const take = (name: string): RemoteHost | undefined => {
    const host = idle.get(name);
    idle.delete(name);
    return host;
  };
  const keep = async (name: string, host: RemoteHost): Promise<void> => {
    const earlier = take(name);
    idle.set(name, host);
    await earlier?.close();
    const [oldest] = idle.keys();
    if (oldest !== undefined && idle.size > mostIdle) await take(oldest)?.close();
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
    async use({ node, log }, work, signal) {
      const kept = take(node.name);
      if (kept !== undefined) {
        try {
          return await workOver(node.name, kept, work);
        } catch (error) {
          // It had died while no one used it: that is known only now.
          if (!hasCode(error, 'REMOTE_LOST')) throw error;
        }
      }
      const host = await hosts.connect(await node.target(signal), signal);
      if (host.remark !== undefined) log(host.remark);
      return workOver(node.name, host, work);
    },
    drop: async ({ name }) => take(name)?.close(),
    async close() {
      const all = [...idle.values()];
      idle.clear();
      await Promise.all(all.map(async (host) => host.close()));
    },
  };
}
