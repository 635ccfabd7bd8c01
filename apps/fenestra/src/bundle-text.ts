/** The parameters of every bundle. Some libraries read `__dirname` when they load, although they use no files. */
export const BUNDLE_HEAD = '(function(exports,require,module,__dirname){';

/** The text of a bundle as the executable carries it: a function around the bundler's module. */
export function bundleText(module: string): string {
  return `${BUNDLE_HEAD}${module}\n})`;
}
