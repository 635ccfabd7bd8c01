/** What every bundle is given. Some libraries ask at their start which folder they are in, although they need nothing from it. */
export const BUNDLE_PARAMETERS: readonly string[] = ['exports', 'require', 'module', '__dirname'];

/** What V8 has made of a bundle's text, if that is carried too. */
export function cacheName(bundle: string): string {
  return `${bundle}.cache`;
}
