/** A file that holds an older part of the log of one instance. */
export interface RotatedLog {
  /** The name of the file without the ending of a compressed one. */
  readonly base: string;
  /** The names under which it is there: both while it is being compressed. */
  readonly name: string;
  readonly isCompressed: boolean;
}

/** The files of the log of one instance of a container. */
export interface InstanceLogFiles {
  /** The file that the runtime writes. It may be missing for a moment. */
  readonly current: string;
  readonly hasCurrent: boolean;
  /** The oldest first. */
  readonly rotated: readonly RotatedLog[];
  /** What an interrupted rotation has left: of no use to any reader. */
  readonly leftovers: readonly string[];
}

const ROTATED = /^(?<base>\d+\.log\.(?<time>\d{8}-\d{6}))(?<ending>|\.gz|\.tmp)$/;

/** Finds the files of one instance among the names in the log folder of its container. */
export function instanceLogFiles(names: readonly string[], attempt: number): InstanceLogFiles {
  const current = `${attempt}.log`;
  const parts = names.filter((name) => name.startsWith(`${current}.`)).flatMap(readName);
  const compressed = new Set(parts.filter(({ ending }) => ending === '.gz').map(({ base }) => base));
  const isLeftover = ({ base, ending }: NamePart): boolean =>
    ending === '.tmp' || (ending === '' && compressed.has(base));
  return {
    current,
    hasCurrent: names.includes(current),
    rotated: parts
      .filter((part) => !isLeftover(part))
      .map(({ base, name, ending }) => ({ base, name, isCompressed: ending === '.gz' }))
      .toSorted((a, b) => (a.base < b.base ? -1 : 1)),
    leftovers: parts.filter(isLeftover).map(({ name }) => name),
  };
}

interface NamePart {
  readonly name: string;
  readonly base: string;
  readonly ending: string;
}

function readName(name: string): readonly NamePart[] {
  const { base, ending } = ROTATED.exec(name)?.groups ?? {};
  return base === undefined || ending === undefined ? [] : [{ name, base, ending }];
}
