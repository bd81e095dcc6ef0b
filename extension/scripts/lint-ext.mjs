/**
 * web-ext lint on both builds; fails on any error and prints warnings. The linter knows Firefox only, so on Chrome's
 * build the two errors that merely say "this is not Firefox's manifest" are expected, and nothing else is.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const extension = fileURLToPath(new URL('..', import.meta.url));
const builds = [
  { name: 'firefox-mv3', expected: [] },
  { name: 'chrome-mv3', expected: ['ADDON_ID_REQUIRED', 'BACKGROUND_SERVICE_WORKER_NOFALLBACK'] },
];

const lint = (name) => {
  const args = [
    'node_modules/web-ext/bin/web-ext.js',
    'lint',
    '--output',
    'json',
    '--source-dir',
    `.output/${name}`,
  ];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: extension, encoding: 'utf8' }));
  } catch (failure) {
    // It exits with 1 when it found errors, and still prints them.
    return JSON.parse(failure.stdout);
  }
};

let failed = false;
for (const { name, expected } of builds) {
  const result = lint(name);
  const errors = result.errors.filter((error) => !expected.includes(error.code));
  console.log(`${name}: ${errors.length} errors, ${result.warnings.length} warnings`);
  for (const { code, message, file } of errors) console.error(`  error ${code} ${file ?? ''}: ${message}`);
  for (const { code, message, file } of result.warnings)
    console.log(`  warning ${code} ${file ?? ''}: ${message}`);
  failed ||= errors.length > 0;
}
process.exit(failed ? 1 : 0);
