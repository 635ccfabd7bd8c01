import manifest from '../../../package.json' with { type: 'json' };

/** The version of the executables under test, as they say it themselves. */
export const OWN_VERSION = manifest.version;

/** The version that many minor steps later. */
export function laterVersion(steps: number, own = OWN_VERSION): string {
  const [major = '0', minor = '0'] = own.split('.');
  return `${major}.${Number(minor) + steps}.0`;
}
