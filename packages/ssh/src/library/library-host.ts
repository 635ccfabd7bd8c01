import type { RemoteHost } from '@fenestra/platform';
import type { SFTPWrapper } from 'ssh2';
import { placeName } from '../host-keys/host-key-errors.ts';
import { noFileTransfer } from '../remote-errors.ts';
import type { Connection } from './connection.ts';
import { startProcess } from './start-process.ts';
import { unlessGone } from './unless-gone.ts';
import { uploadFile } from './upload-file.ts';

/** A machine at the end of a chain of connections, the nearest one first. */
export function libraryHost(chain: readonly Connection[], connection: Connection): RemoteHost {
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
export async function closeChain(chain: readonly Connection[]): Promise<void> {
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
