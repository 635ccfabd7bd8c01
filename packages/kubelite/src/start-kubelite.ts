import { assemble } from './assemble.ts';
import { createExtensions } from './kinds/extensions.ts';
import type { Kubelite, KubeliteOptions } from './kubelite.ts';

/** Starts the embedded API and resolves once it answers. What it has acknowledged survives any kill. Aborting closes it. */
export function startKubelite(options: KubeliteOptions, signal: AbortSignal): Promise<Kubelite> {
  return assemble(options, createExtensions, signal);
}
