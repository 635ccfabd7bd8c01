import type { ContainerNetworks } from '@fenestra/platform';

/** The kernel keeps no networks of containers: what plugins make of bridges and routes is theirs to remove. */
export function noContainerNetworks(): ContainerNetworks {
  return { list: async () => [], remove: async () => undefined };
}
