import type { Controller } from './controller.ts';
import { nodeMarker } from './node-marker/node-marker.ts';

/** Every controller of cloudcore, in the order in which they get events. */
export const CONTROLLERS: readonly Controller[] = [nodeMarker];
