/** The three numbers of a version: all that Windows has a place for. */
export function numericVersion(version: string): string {
  return version.split(/[-+]/, 1)[0] ?? version;
}
