import type { CloudTools } from '@fenestra/keadm';
import { loadBundle } from './load-bundle.ts';

/** Loads what talks to a cloud. */
export async function loadCloudTools(): Promise<CloudTools> {
  const loaded = await loadBundle('parts', 'cloud-tools');
  if (isCloudTools(loaded)) return loaded;
  throw new Error('The tools for the cloud cannot be loaded');
}

function isCloudTools(loaded: unknown): loaded is CloudTools {
  return typeof loaded === 'object' && loaded !== null && 'openCloudAdmin' in loaded;
}
