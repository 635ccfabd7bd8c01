import { defineConfig } from 'vitest/config';

// Each file has separate nodes, and a node is a whole machine: one file at a time, and patience.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.e2e.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 5 * 60_000,
    hookTimeout: 20 * 60_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
