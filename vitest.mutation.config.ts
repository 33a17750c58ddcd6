import { defineConfig } from 'vitest/config'
import { alias } from './vitest.config.ts'

/**
 * The quick specs of the pure rooms, for the mutation run: each mutant runs every test that reaches it, so what
 * searches for minutes (the differential lanes) or mounts a host is left out.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    pool: 'forks',
    include: [
      'packages/time-core/tests/**/*.spec.ts',
      'packages/tool-schedule/tests/{protocol,facts,fold,fold-crash,fold-series,decide,occurrence,frame,input,plan,rule-notes,view,names}.spec.ts',
    ],
    exclude: ['**/*differential*.spec.ts', '**/process-zone.spec.ts', '**/boundaries.spec.ts'],
    testTimeout: 30_000,
  },
})
