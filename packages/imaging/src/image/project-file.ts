/** A file of a project. */
export interface ProjectFile {
  /** Below the project's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Something that a project can be told. */
export interface ProjectVariable {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'list(string)' | 'map(string)';
  readonly description: string;
  /** As HCL; left out for what must be given. */
  readonly default?: string;
  readonly sensitive?: true;
  readonly validation?: { readonly condition: string; readonly message: string };
}

/** What a platform brings to a project. */
export interface PlatformParts {
  readonly plugin: { readonly name: string; readonly source: string; readonly version: string };
  /** The type of source, which is always called `image`. */
  readonly sourceType: string;
  readonly variables: readonly ProjectVariable[];
  /** What is between the braces of the source. */
  readonly source: string;
  readonly files: readonly ProjectFile[];
  /** Whether Windows is made ready for its next start by a step of its own, or when the builder shuts it down. */
  readonly seals: 'as-step' | 'at-shutdown';
}
