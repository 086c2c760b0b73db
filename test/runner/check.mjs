import { packages } from '#launch/install.mjs';
import { checkout, inCheckout, projectNode } from '#launch/runtime.mjs';
import { runStep } from '#launch/steps.mjs';
import { writeGraphqlTypes } from './graphql-types.mjs';
import { prepareDevelopment } from './prepare.mjs';

/**
 * `npm run check`: types, lint, import rules, unused exports, ledger, breaking changes and format. All run, so that one round of repairs
 * is enough.
 *
 * @returns {Promise<number>} the exit code
 */
export async function check() {
  const failed = [];
  for (const [name, passes] of checks()) {
    if (!(await passes().catch(report))) failed.push(name);
    // Without its dependencies nothing else can be checked.
    if (!packages.isInstalled(true)) break;
  }
  console.log(failed.length === 0 ? 'Checked: all is well.' : `Checked: ${failed.join(', ')} failed.`);
  return failed.length === 0 ? 0 : 1;
}

/** @returns {[string, () => Promise<boolean>][]} */
function checks() {
  return [
    // The build of tests and development checks every type, and leaves no stamp when one is wrong.
    ['types', () => prepareDevelopment().then(() => true)],
    ['types of the pages', checkPages],
    ['lint', () => tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '.')],
    ['import rules', () => node(inCheckout('dist', 'test', 'core', 'check-imports.js'))],
    ['exports', () => tool('knip/bin/knip.js', '--no-progress')],
    ['ledger', () => node(inCheckout('dist', 'test', 'contract', 'check-ledger.js'))],
    ['breaking changes', () => node(inCheckout('dist', 'test', 'contract', 'check-breaking.js'))],
    ['format', () => tool('oxfmt/bin/oxfmt', '--check', '.')],
  ];
}

/** Checks the pages against the current API: its types are generated again from the registered routes. */
async function checkPages() {
  const written = await node(
    inCheckout('dist', 'api', 'write-api-types.js'),
    inCheckout('dist', 'api-types', 'index.d.ts'),
  );
  if (!written) return false;
  await writeGraphqlTypes();
  return tool('typescript/bin/tsc', '--noEmit', '-p', 'api/web/tsconfig.json');
}

/**
 * @param {string} script
 * @param {...string} args
 */
function tool(script, ...args) {
  return node(inCheckout('node_modules', script), ...args);
}

/** @param {...string} args */
async function node(...args) {
  return (await runStep(projectNode(), args, { cwd: checkout })) === 0;
}

/** @param {Error} error */
function report(error) {
  console.error(`capstan: ${error.message}`);
  return false;
}
