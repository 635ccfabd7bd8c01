import type { RemoteHost, RemoteHosts, RemoteTarget } from '@fenestra/platform';
import type { SFTPWrapper } from 'ssh2';
import { hostKeyBook, type HostKeySources } from '../host-keys/host-key-book.ts';
import { placeName } from '../host-keys/judge-host-key.ts';
import { noFileTransfer } from '../remote-errors.ts';
import { keyRing } from './auth.ts';
import { type Connection, unlessGone, watchOver } from './connection.ts';
import { logIn } from './log-in.ts';
import { startProcess } from './start-process.ts';
import { uploadFile } from './upload-file.ts';

/** Machines reached by our own SSH client: it needs no program of the system. */
export function sshRemoteHosts(sources: HostKeySources): RemoteHosts {
  const shared = { book: hostKeyBook(sources), keys: keyRing() };

  async function connectVia(chain: Connection[], target: RemoteTarget, signal: AbortSignal): Promise<Connection> {
    return watchOver(target, await logIn(target, chain.at(-1)?.client, shared, signal));
  }

  return {
    async connect(target, signal) {
      const chain: Connection[] = [];
      try {
        for (const jump of target.jumps) chain.push(await connectVia(chain, jump, signal));
        return libraryHost(chain, await connectVia(chain, target, signal));
      } catch (error) {
        await closeChain(chain);
        throw error;
      }
    },
  };
}

/** A machine at the end of a chain of connections, the nearest one first. */
function libraryHost(chain: readonly Connection[], connection: Connection): RemoteHost {
  let sftp: Promise<SFTPWrapper> | undefined;
  return {
    target: connection.target,
    start: async (commandLine, signal) => startProcess(connection, commandLine, signal),
    async upload(file, signal) {
      const send = async (): Promise<void> => {
        sftp ??= openSftp(connection);
        const session = await sftp.catch((error: unknown) => {
          sftp = undefined;
          throw error;
        });
        await uploadFile(session, connection.target, file, signal);
      };
      await unlessGone(connection, `sending to ${placeName(connection.target)}`, send, signal);
    },
    async close() {
      await closeChain([...chain, connection]);
    },
  };
}

/** The farthest first, as the others carry it. */
async function closeChain(chain: readonly Connection[]): Promise<void> {
  for (const connection of chain.toReversed()) await connection.close();
}

async function openSftp({ client, target }: Connection): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, session) => {
      if (error === undefined) resolve(session.on('error', () => undefined));
      else reject(noFileTransfer(target, error));
    });
  });
}
