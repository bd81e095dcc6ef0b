import { defineConfig } from 'vitest/config';
import { WxtVitest } from 'wxt/testing/vitest-plugin';

export default defineConfig({
  plugins: [WxtVitest()],
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx', 'scripts/*.test.mjs'],
    exclude: ['node_modules', '.output', '.wxt'],
    passWithNoTests: false,
    // Tells what never ends from what is slow on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
