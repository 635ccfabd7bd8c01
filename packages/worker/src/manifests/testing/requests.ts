import { readRequest, type GivenRequest } from '../read-request.ts';
import type { ManifestRequest } from '../manifest-request.ts';

/** What a person gives who leaves everything out that can be. */
const LEAST_GIVEN: GivenRequest = {
  version: undefined,
  network: undefined,
  hnsNetwork: undefined,
  images: [],
  serviceSubnet: undefined,
  podSubnet: undefined,
  apiServer: '10.0.0.5:6443',
  policies: false,
  wins: false,
};

/** A request in which only some things are said. */
export function requestWith(given: Partial<GivenRequest>): ManifestRequest {
  return readRequest({ ...LEAST_GIVEN, ...given });
}
