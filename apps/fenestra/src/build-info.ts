/** What the build stamps into the executable. There is no clock in it: the same commit gives the same bytes. */
export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  readonly commitTime: string;
  /** Public keys, in PEM form, of anyone who signs releases. */
  readonly trustKeys: readonly string[];
}

declare const FENESTRA_BUILD: BuildInfo | undefined;

/** Run from the sources there is no stamp. */
const FROM_SOURCES: BuildInfo = {
  version: '0.0.0-source',
  commit: 'unknown',
  commitTime: new Date(0).toISOString(),
  trustKeys: [],
};

/** Which version this is. */
export function buildInfo(): BuildInfo {
  return typeof FENESTRA_BUILD === 'undefined' ? FROM_SOURCES : FENESTRA_BUILD;
}
