/** What `/etc/os-release` says of the distribution. */
export interface Distribution {
  readonly name: string;
  readonly version: string;
  readonly id: string;
}

const UNKNOWN = 'unknown';

/** Reads the shell-like assignments of `os-release`; what is missing gets the defaults of its manual page. */
export function parseOsRelease(text: string): Distribution {
  const values = new Map(text.split('\n').flatMap((line) => assignmentOf(line.trim())));
  const id = values.get('ID') ?? 'linux';
  return {
    id,
    name: values.get('PRETTY_NAME') ?? values.get('NAME') ?? 'Linux',
    version: values.get('VERSION_ID') ?? values.get('VERSION_CODENAME') ?? values.get('BUILD_ID') ?? UNKNOWN,
  };
}

function assignmentOf(line: string): readonly (readonly [string, string])[] {
  const parts = /^([A-Z0-9_]+)=(.*)$/.exec(line);
  const [, key, value] = parts ?? [];
  return key === undefined || value === undefined || value === '' ? [] : [[key, unquote(value)]];
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
  return quoted === undefined ? value : quoted.replaceAll(/\\(["'$`\\])/g, '$1');
}
