import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,apps,tests,e2e}/**/*.test.ts'],
    exclude: ['**/*.e2e.test.ts', '**/node_modules/**'],
  },
});
