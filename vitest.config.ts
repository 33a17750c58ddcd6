import { defineConfig } from 'vitest/config'

const source = (name: string): string => new URL(`./packages/${name}/src/index.ts`, import.meta.url).pathname

/** Workspace packages are tested from their sources: no build stands between an edit and its test. */
export const alias = {
  'dsh-time-core': source('time-core'),
  'dsh-session-host': source('session-host'),
  // Before its package: an alias also takes what begins with its name.
  'dsh-tool-schedule/log': source('tool-schedule').replace('index.ts', 'log.ts'),
  'dsh-tool-schedule': source('tool-schedule'),
  'dsh-time-reminder/log': source('time-reminder').replace('index.ts', 'log.ts'),
  'dsh-time-reminder': source('time-reminder'),
  'dsh-client-ui-schedule': source('client-ui-schedule'),
}

export default defineConfig({
  resolve: { alias },
  test: {
    pool: 'forks', // Node 24 can abort inside its CommonJS lexer when hosts run in worker threads
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/tests/**/*.spec.ts', 'bench/tests/**/*.spec.ts', 'scripts/tests/**/*.spec.ts'], testTimeout: 120_000 },
      },
      {
        extends: true,
        test: { name: 'sim', include: ['sim/tests/**/*.spec.ts'], testTimeout: 300_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        perFile: true,
        // A few arrows only run when a race goes one way; no line and no branch depends on that.
        'packages/{time-core,session-host,tool-schedule,time-reminder,client-ui-schedule}/src/**/*.ts': { lines: 100, branches: 100, functions: 95, statements: 99 },
      },
    },
  },
})
