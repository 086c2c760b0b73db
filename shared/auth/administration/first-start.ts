import { isCommonPassword } from '../../tenancy/users/user.rules.js';
import { BadSettings } from '../../core/values/config.js';
import type { Config } from '../../core/values/config.js';
import type { Domain } from '../../core/domain.js';
import { databaseWork } from '../../core/database/database-work.js';
import { migrate } from '../../instance/process/migrate.js';
import { openServices } from '../../instance/process/services.js';
import type { OpenServices } from '../../core/context/open-services.js';
import { queries } from '../../core/database/compile.js';
import type { InstanceDatabase } from '../../instance/instance.entities.js';
import { ensureAdministrator } from './create-administrator.js';
import type { InitialCredentials } from './initial-credentials.js';

/**
 * Stores the key's fingerprint on the first start and compares it on each later one.
 * @throws BadSettings if the database belongs to another SECRET_KEY_BASE
 */
export async function checkKey(services: OpenServices): Promise<void> {
  const identity = { key_fingerprint: services.keys.fingerprint, created_at: services.clock.now() };
  const stored = queries<InstanceDatabase>()
    .with('stored', (db) =>
      db
        .insertInto('instance_identity')
        .values(identity)
        .onConflict((conflict) => conflict.doNothing())
        .returning('key_fingerprint'),
    )
    .selectFrom('stored')
    .select('key_fingerprint')
    .unionAll((db) => db.selectFrom('instance_identity').select('key_fingerprint'));
  const [row] = await services.db.query<{ key_fingerprint: string }>(stored);
  if (row?.key_fingerprint !== services.keys.fingerprint)
    throw new BadSettings([
      'SECRET_KEY_BASE must be the secret that this database was set up with: tokens and encrypted values cannot be read with another.',
    ]);
}

/** @throws BadSettings for first-start secrets that are too weak to be an administrator's */
function checkInitialSecrets(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const { INITIAL_ROOT_TOKEN: token, INITIAL_ROOT_PASSWORD: password } = env;
  if (token && !/^[\x21-\x7e]{20,}$/.test(token))
    problems.push('INITIAL_ROOT_TOKEN must be at least 20 printable characters without spaces.');
  if (password && password.length < 8) problems.push('INITIAL_ROOT_PASSWORD must be at least 8 characters.');
  if (password && isCommonPassword(password))
    problems.push('INITIAL_ROOT_PASSWORD must not be one of the passwords that everybody tries first.');
  if (problems.length > 0) throw new BadSettings(problems);
}

/** Migrates, checks the secret, and makes the first administrator. Safe to run again, and by many at once. */
export async function setUp(
  domains: readonly Domain[],
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<InitialCredentials | null> {
  checkInitialSecrets(env);
  await migrate(domains, config.databaseUrl);
  const services = await openServices(domains, config, 'setup', { poolSize: 2, work: databaseWork.migration });
  try {
    await checkKey(services);
    return await ensureAdministrator(services, env);
  } finally {
    await services.close();
  }
}
