/** The fields of leases, in the notation of `type-table.ts`. */
export const COORDINATION_TYPES = `
Lease: apiVersion string, kind string, metadata ObjectMeta, spec LeaseSpec
LeaseSpec: acquireTime MicroTime, holderIdentity string, leaseDurationSeconds integer, leaseTransitions integer,
  preferredHolder string, renewTime MicroTime, strategy string
`;
