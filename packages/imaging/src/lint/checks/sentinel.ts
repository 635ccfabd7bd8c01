/** The file by which Cluster API knows that a machine has joined. */
export const SENTINEL = 'bootstrap-success.complete';
