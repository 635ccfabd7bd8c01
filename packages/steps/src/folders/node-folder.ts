/** A folder in which a node keeps things, and what of it is the node's. */
export interface NodeFolder {
  readonly path: string;
  /** The names of what is the node's; a `*` stands for any characters. */
  readonly names: readonly string[];
  /** Whether the folder is the node's as well, so that it goes once nothing else is in it. */
  readonly own: boolean;
}

/** What earlier runs of ours that were cut off may have left beside a file, besides the file itself. */
const BESIDE: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `.${name}.*.tmp`,
  (name) => `${name}.*.tmp`,
  (name) => `${name}.*.old`,
  (name) => `${name}.partial`,
  (name) => `staged-${name}`,
  (name) => `staged-${name}.partial`,
  (name) => `previous-*-${name}`,
  (name) => `previous-*-${name}.partial`,
];

/** The names that a file of a node's may have left in its folder: its own, and those of earlier runs. */
export function filesOf(name: string): readonly string[] {
  return BESIDE.map((beside) => beside(name));
}
