import type { Readable, Writable } from 'node:stream';

/** One way to prove who asks to be let in. Secrets are values here: they were resolved just before. */
export type RemoteAuth =
  | { readonly kind: 'agent'; readonly socket: string }
  | {
      readonly kind: 'key';
      readonly path: string;
      readonly passphrase?: string | undefined;
      /** The path of a certificate for the key. */
      readonly certificate?: string | undefined;
    }
  | { readonly kind: 'password'; readonly password: string }
  /** The answer is given to every question the machine asks. */
  | { readonly kind: 'keyboard-interactive'; readonly answer: string };

/** How to reach a machine. */
export interface RemoteTarget {
  /** What the machine is called in messages. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Tried in this order. */
  readonly auth: readonly RemoteAuth[];
  /** Whether that is only what this account usually has: ssh may use its own ways besides, such as GSSAPI. */
  readonly usualAuth?: boolean | undefined;
  /** Fingerprints (`SHA256:…`) or public keys; where there are some, no other key is taken for this machine's. */
  readonly hostKeys: readonly string[];
  /** Machines on the way, the one nearest to us first. */
  readonly jumps: readonly RemoteTarget[];
  /** The library, or the system's own ssh; `auto` takes the latter for what the library cannot do. */
  readonly transport: 'auto' | 'library' | 'system';
  readonly limits: RemoteLimits;
}

/** How long to wait for a machine. */
export interface RemoteLimits {
  /** From the first packet until logged in. */
  readonly connectSeconds: number;
  /** A connection over which nothing is received for so long, keepalives included, counts as lost. */
  readonly idleTimeoutSeconds: number;
}

/** Remote machines as this one can reach them. */
export interface RemoteHosts {
  /**
   * Logs in. Rejects with REMOTE_UNREACHABLE, REMOTE_TIMEOUT, REMOTE_LOST (worth another try), REMOTE_AUTH,
   * HOST_KEY_UNKNOWN or HOST_KEY_CHANGED (never worth one).
   */
  connect(target: RemoteTarget, signal: AbortSignal): Promise<RemoteHost>;
}

/** A machine we are logged in to. */
export interface RemoteHost {
  /** With the transport that was taken, where that was left open. */
  readonly target: RemoteTarget;
  /** What people should know about the way it was reached; of a machine that is reached again, nothing. */
  readonly remark?: string | undefined;
  /** Starts a command line, which the account's own shell reads; an aborted signal ends the channel. */
  start(commandLine: string, signal: AbortSignal): Promise<RemoteProcess>;
  /** Writes a new file by SFTP with many blocks in flight; an existing one is replaced. */
  upload(file: RemoteFile, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A file to be written on a remote machine. */
export interface RemoteFile {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** The content, which is read once for this file. */
  content(): AsyncIterable<Uint8Array>;
}

/** A command that runs on a remote machine. */
export interface RemoteProcess {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Rejects with REMOTE_LOST if the connection ends before the command does. */
  readonly ended: Promise<RemoteEnd>;
}

/** How a remote command ended. */
export interface RemoteEnd {
  /** A death by signal N is 128 + N. */
  readonly exitCode: number;
}
