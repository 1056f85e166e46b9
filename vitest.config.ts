import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    // No test is about time: a slow machine is not a failure, a hang is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
