// Reads vitest's JSON report and prints the last line of .ci/run.
import { readFileSync } from "node:fs";

const { numPassedTests, numFailedTests, testResults, success } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
// A file that does not even load has no tests to count as failed.
const broken = testResults.filter((r) => r.status === "failed" && r.assertionResults.length === 0).length;
console.log(`${numPassedTests} passed, ${numFailedTests + broken} failed`);
process.exit(success && numPassedTests > 0 && broken === 0 ? 0 : 1);
