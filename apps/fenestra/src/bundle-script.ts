import { Script } from 'node:vm';

/** What every bundle is given. Some libraries ask at their start which folder they are in, although they need nothing from it. */
const HEAD = '(function(exports,require,module,__dirname){';

/** What V8 has made of a bundle's text, if that is carried too. */
export function cacheName(bundle: string): string {
  return `${bundle}.cache`;
}

/** A bundle's text as it is carried: a function, made of the module that the bundler wrote. */
export function bundleText(module: string): string {
  return `${HEAD}${module}\n})`;
}

/** The script whose value is a bundle's function. V8 itself refuses a cache that does not fit, and reads the text. */
export function bundleScript(bundle: string, text: string, cachedData?: Uint8Array): Script {
  // As if the module stood alone, for whoever reads where an error came from.
  const place = { filename: bundle, columnOffset: -HEAD.length };
  return new Script(text, { ...place, ...(cachedData === undefined ? {} : { cachedData }) });
}
