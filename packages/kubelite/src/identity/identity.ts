/** A certificate with its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Who the embedded API is: its own CA, its serving certificate, the key that signs service account tokens, and its first users. */
export interface Identity {
  readonly ca: KeyPair;
  readonly serving: KeyPair;
  /** PKCS #8 PEM of an EC P-256 key; the public half is derived from it. */
  readonly serviceAccountKey: string;
  /** `system:masters`. */
  readonly admin: KeyPair;
  /** CN `cloudcore`, O `system:cloudcore`. */
  readonly cloudcore: KeyPair;
}
