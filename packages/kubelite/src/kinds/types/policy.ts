/** The fields of evictions, in the notation of `type-table.ts`. */
export const POLICY_TYPES = `
Eviction: apiVersion string, kind string, metadata ObjectMeta, deleteOptions DeleteOptions
`;
