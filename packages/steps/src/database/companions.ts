/** The endings of what SQLite keeps beside a database. */
export const DATABASE_COMPANIONS: readonly string[] = ['-wal', '-shm', '-journal'];
