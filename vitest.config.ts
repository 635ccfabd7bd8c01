import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,apps,tests,e2e}/**/*.test.ts'],
    exclude: ['**/*.e2e.test.ts', '**/node_modules/**'],
    globalSetup: 'tests/temporary-folder.ts',
    setupFiles: 'tests/patient-waits.ts',
    // A process per file would spend half the time on loading the same modules again.
    isolate: false,
    // Much of the time goes by waiting for real timers, sockets and processes; yet every worker loads all modules once.
    maxWorkers: 3,
    // On a busy machine a process may take seconds to start; a test that hangs is found out all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
