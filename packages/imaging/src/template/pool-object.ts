/** A Kubernetes object that Cluster API reads. */
export type PoolObject = Readonly<Record<string, unknown>>;
