import { defineConfig } from 'vitest/config';

// `npm run check` leaves out what starts a whole engine, and files that take many seconds.
const exclude = process.env.HENGXI_FAST ? ['**/*.slow.test.{ts,tsx}'] : [];
// Files of a project share a worker's modules: loading them anew for each cost three times the tests. A file puts back what it changes.
const isolate = false;

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['tools/test-folder.mjs'],
    projects: [
      { test: { name: 'tools', isolate, include: ['tools/*.test.mjs'], testTimeout: 60_000 } },
      { test: { name: 'contracts', isolate, include: ['contracts/src/**/*.test.ts'], testTimeout: 60_000, setupFiles: ['contracts/src/testing/seed.ts'] } },
      { test: { name: 'server', isolate, include: ['server/src/**/*.test.ts'], exclude, testTimeout: 120_000, hookTimeout: 120_000 } },
      {
        test: {
          name: 'web',
          isolate,
          include: ['web/src/**/*.test.{ts,tsx}'],
          exclude,
          environment: 'jsdom',
          testTimeout: 60_000,
          setupFiles: ['web/src/testing/setup.ts'],
        },
      },
    ],
  },
});
