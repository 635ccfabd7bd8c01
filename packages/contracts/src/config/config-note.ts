/** A key that was given and understood, but does nothing here yet, or hardly what was meant; to be said once at start. */
export interface ConfigNote {
  /** Dotted, as in `modules.eventBus`. */
  readonly path: string;
  readonly reason: string;
}

/** A file that was read, checked and filled up with the defaults. */
export interface LoadedConfig<Config> {
  readonly config: Config;
  /** What the file itself says, without the defaults, in the schema's spelling. */
  readonly given: unknown;
  readonly notes: readonly ConfigNote[];
}
