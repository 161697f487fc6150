import { defineConfig } from 'vitest/config';

// `npm run check` leaves out what starts a whole engine.
const isFast = Boolean(process.env.HENGXI_FAST);

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { test: { name: 'contracts', include: ['contracts/src/**/*.test.ts'], testTimeout: 60_000, setupFiles: ['contracts/src/testing/seed.ts'] } },
      { test: { name: 'server', include: ['server/src/**/*.test.ts'], exclude: isFast ? ['**/*.slow.test.ts'] : [], testTimeout: 120_000, hookTimeout: 120_000 } },
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          testTimeout: 60_000,
          setupFiles: ['web/src/testing/setup.ts'],
        },
      },
    ],
  },
});
