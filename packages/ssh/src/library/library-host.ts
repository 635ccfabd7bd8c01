import type { RemoteHost } from '@fenestra/platform';
import { throwIfAborted } from '@fenestra/platform';
import type { SFTPWrapper } from 'ssh2';
import { placeName } from '../host-keys/host-key-errors.ts';
import { noFileTransfer } from '../remote-errors.ts';
import type { Connection } from './connection.ts';
import { startProcess } from './start-process.ts';
import { uploadFile } from './upload-file.ts';

/** A machine at the end of a chain of connections, the nearest one first. */
export function libraryHost(chain: readonly Connection[], connection: Connection): RemoteHost {
  let sftp: Promise<SFTPWrapper> | undefined;
  return {
    target: connection.target,
    start: async (commandLine, signal) => startProcess(connection, commandLine, signal),
    async upload(file, signal) {
      throwIfAborted(`sending to ${placeName(connection.target)}`, signal);
      sftp ??= openSftp(connection);
      const session = await sftp.catch((error: unknown) => {
        sftp = undefined;
        throw error;
      });
      await orGone(connection, async () => uploadFile(session, connection.target, file, signal));
    },
    async close() {
      await closeChain([...chain, connection]);
    },
  };
}

/** The farthest first, as the others carry it. */
export async function closeChain(chain: readonly Connection[]): Promise<void> {
  for (const connection of chain.toReversed()) await connection.close();
}

async function openSftp(connection: Connection): Promise<SFTPWrapper> {
  const { client, target } = connection;
  const ended = connection.gone();
  if (ended !== undefined) throw ended;
  return new Promise((resolve, reject) => {
    client.sftp((error, session) => {
      if (error === undefined) resolve(session.on('error', () => undefined));
      else reject(noFileTransfer(target, error));
    });
  });
}

/** The library forgets what is under way when a connection ends. */
async function orGone<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const forget = connection.onGone(reject);
  try {
    return await Promise.race([work(), gone]);
  } finally {
    forget();
  }
}
