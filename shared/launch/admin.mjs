import { readArguments, usage } from './admin-arguments.mjs';
import { runEntry } from './entry.mjs';
import { becomeOwner, withKeptDatabase } from './kept-database.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { spawnStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { readSettings } from './settings.mjs';
import { StopRequest } from './stop-request.mjs';

/*
 * npm run admin: what whoever has the machine can do for a user without signing in. Standard output holds what was asked for, and
 * nothing else.
 */

await runEntry(async () => {
  const request = readArguments(process.argv.slice(2));
  if (!request) {
    console.log(usage);
    return 0;
  }
  console.log = console.error;
  const { dataDir, databaseUrl, secretKeyBase } = readSettings(process.env);
  if (!databaseUrl) becomeOwner(dataDir);
  await prepare();
  const stop = new StopRequest();
  const run = (env) => runCommand(request, { ...process.env, DATA_DIR: dataDir, ...env }, stop);
  if (databaseUrl) return run({});
  return withKeptDatabase(dataDir, stop, secretKeyBase, ({ url, secret }) =>
    run({ DATABASE_URL: url, SECRET_KEY_BASE: secret }),
  );
});

async function runCommand(request, env, stop) {
  const script = inCheckout('dist', 'shared', 'admin.js');
  const step = spawnStep(projectNode(), [script, JSON.stringify(request)], { cwd: checkout, env, stdio: 'inherit' });
  const code = await stop.orStop(step.ended);
  if (code !== undefined) return code;
  step.child.kill('SIGTERM');
  await step.ended;
  return 130;
}
