import { runEntry } from './entry.mjs';
import { becomeOwner, withKeptDatabase } from './kept-database.mjs';
import { doubtfulNames } from './near-names.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { spawnStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { readSettings } from './settings.mjs';
import { StopRequest } from './stop-request.mjs';

/*
 * npm run doctor: looks whether what the service needs is as it should be. A line for each thing, with what to do where something is
 * wrong; the exit code is 0 when nothing failed, else 1, and 78 when a setting cannot be right.
 */

await runEntry(async () => {
  console.log = console.error;
  for (const doubt of doubtfulNames(process.env)) process.stdout.write(`warn    settings            ${doubt}\n`);
  const { dataDir, databaseUrl, secretKeyBase } = readSettings(process.env);
  if (!databaseUrl) becomeOwner(dataDir);
  await prepare();
  const stop = new StopRequest();
  const run = (env) => look({ ...process.env, DATA_DIR: dataDir, ...env }, stop);
  if (databaseUrl) return run({});
  return withKeptDatabase(dataDir, stop, secretKeyBase, ({ url, secret }) =>
    run({ DATABASE_URL: url, SECRET_KEY_BASE: secret }),
  );
});

async function look(env, stop) {
  const step = spawnStep(projectNode(), [inCheckout('dist', 'shared', 'doctor.js')], {
    cwd: checkout,
    env,
    stdio: 'inherit',
  });
  const code = await stop.orStop(step.ended);
  if (code !== undefined) return code;
  step.child.kill('SIGTERM');
  await step.ended;
  return 130;
}
