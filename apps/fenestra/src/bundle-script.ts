import { Script } from 'node:vm';

/** What every bundle is given. Some libraries ask at their start which folder they are in, although they need nothing from it. */
const PARAMETERS = 'exports,require,module,__dirname';

/** What V8 has made of a bundle's text, if that is carried too. */
export function cacheName(bundle: string): string {
  return `${bundle}.cache`;
}

/** The script whose value is the function that runs a bundle. V8 itself refuses a cache that does not fit, and reads the text. */
export function bundleScript(bundle: string, text: string, cachedData?: Uint8Array): Script {
  const options = { filename: bundle, ...(cachedData === undefined ? {} : { cachedData }) };
  return new Script(`(function(${PARAMETERS}){${text}\n})`, options);
}
