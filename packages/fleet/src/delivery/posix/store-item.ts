/** Something that may lie in a machine's store already. */
export interface StoreItem {
  readonly sha256: string;
  readonly size: number;
  /** What the file is called in its folder of the store. */
  readonly name: 'keadm' | 'data';
}

/** Whether the store has this. A file is only ever given its name there once its digest was right. */
export function isInStore(store: readonly string[], { sha256, size, name }: StoreItem): boolean {
  return store.includes(`${size} ${sha256}/${name}`);
}
