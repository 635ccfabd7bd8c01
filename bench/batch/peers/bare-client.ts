import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import ssh2, { type Client } from 'ssh2';
import type { Target } from '../methods.ts';
import type { Login } from '../targets.ts';

/** A client that is logged in, and what it speaks over. */
export interface BareClient {
  readonly client: Client;
  readonly socket: Socket;
}

/** Logs in with the library that our program uses too, and with the same cipher. */
export async function connectTo({ host, port }: Target, { user, keyFile }: Login): Promise<BareClient> {
  const client = new ssh2.Client();
  const socket = connect({ host, port, noDelay: true });
  return new Promise((resolve, reject) => {
    client
      .on('error', reject)
      .once('ready', () => resolve({ client, socket }))
      .connect({
        sock: socket,
        username: user,
        privateKey: readFileSync(keyFile),
        algorithms: { cipher: ['aes128-gcm@openssh.com'] },
        readyTimeout: 120_000,
      });
  });
}

/** What a command prints; one that fails rejects. */
export async function runOn({ client }: BareClient, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error !== undefined) return reject(error);
      let output = '';
      channel.on('data', (text: Buffer) => (output += text.toString()));
      channel.stderr.on('data', (text: Buffer) => (output += text.toString()));
      channel.once('exit', (code: number | null) =>
        code === 0 ? undefined : reject(new Error(`"${command}": ${output}`)),
      );
      return channel.once('close', () => resolve(output));
    });
  });
}
