/** Named bytes, as a Kubernetes secret holds them. */
export type SecretData = Readonly<Record<string, Uint8Array>>;

/** Where the cloud's replicas keep what they share: the secrets of one namespace. */
export interface SecretStore {
  /** `undefined` when there is no such secret. */
  read(name: string, signal: AbortSignal): Promise<SecretData | undefined>;
  /**
   * Creates or changes a secret and returns what it holds afterwards. `change` is called again whenever another
   * replica was faster, so that what it returns always builds on what is there.
   */
  update(
    name: string,
    change: (current: SecretData | undefined) => SecretData,
    signal: AbortSignal,
  ): Promise<SecretData>;
}
