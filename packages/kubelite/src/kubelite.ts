import type { Logger } from '@fenestra/platform';

/** Where the embedded API lives. */
export interface KubeliteOptions {
  /** Holds the database, the CA and every key. Made 0700 if it is not there. */
  readonly folder: string;
  /** The address to listen on, such as `127.0.0.1`. */
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Further names and addresses that the serving certificate is for. */
  readonly alternativeNames?: readonly string[];
  readonly log: Logger;
  now(): Date;
}

/** A running embedded API. */
export interface Kubelite {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  /** YAML of a kubeconfig for the administrator: holds a key. */
  readonly adminKubeconfig: string;
  /** YAML of a kubeconfig for cloudcore: holds a key. */
  readonly cloudcoreKubeconfig: string;
  /** Ends watches, lets requests finish for a moment, closes the database. Safe to call twice. */
  close(): Promise<void>;
}
