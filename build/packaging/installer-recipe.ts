/** What every installer is made from. The same recipe and program give the same bytes. */
export interface InstallerRecipe {
  /** Without a leading `v`. */
  readonly version: string;
  /** The time that everything inside has, in seconds since 1970: that of the commit. */
  readonly epoch: number;
  /** The program it brings. */
  readonly executable: string;
  /** The file to make. */
  readonly output: string;
  /** Its own folder for what is only needed on the way. */
  readonly work: string;
  /** Whether to save time rather than space. */
  readonly quick: boolean;
}
