import { getAsset, getRawAsset } from 'node:sea';
import { bundleLoader } from './bundle-loader.ts';
import { bundleScript, cacheName } from './bundle-script.ts';

/** Loads a bundle that the executable carries as an asset. */
export function loadBundle(asset: string): unknown {
  return bundleLoader((bundle) => bundleScript(bundle, getAsset(bundle, 'utf8'), cacheOf(bundle)))(asset);
}

function cacheOf(bundle: string): Uint8Array | undefined {
  try {
    return new Uint8Array(getRawAsset(cacheName(bundle)));
  } catch {
    return undefined;
  }
}
