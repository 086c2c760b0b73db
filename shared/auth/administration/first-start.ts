import { randomBytes } from 'node:crypto';
import { insertToken, TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import { isCommonPassword } from '../../tenancy/users/common-passwords.js';
import { insertUser } from '../../tenancy/users/create-user.js';
import { BadSettings } from '../../core/config.js';
import type { Config } from '../../core/config.js';
import { ANONYMOUS } from '../../core/callers.js';
import { Context } from '../../core/context.js';
import type { Domain } from '../../core/domain.js';
import { databaseWork } from '../../core/database/database-work.js';
import { migrate } from '../../instance/process/migrate.js';
import { generateToken } from '../../core/secrets.js';
import { openServices } from '../../instance/process/services.js';
import type { OpenServices } from '../../core/open-services.js';
import { sql } from '../../core/sql.js';

/** What the first start made, to be shown once. Null for what the environment gave. */
export interface FirstStart {
  token: string | null;
  password: string | null;
}

/**
 * Stores the key's fingerprint on the first start and compares it on each later one.
 * @throws BadSettings when the database belongs to another SECRET_KEY_BASE
 */
export async function checkKey(services: OpenServices): Promise<void> {
  const [row] = await services.db.query<{ key_fingerprint: string }>(sql`
    with stored as (
      insert into instance_identity (key_fingerprint, created_at)
      values (${services.keys.fingerprint}, ${services.clock.now()}) on conflict do nothing
      returning key_fingerprint)
    select key_fingerprint from stored union all select key_fingerprint from instance_identity`);
  if (row?.key_fingerprint !== services.keys.fingerprint)
    throw new BadSettings([
      'SECRET_KEY_BASE must be the secret that this database was set up with: tokens and encrypted values cannot be read with another.',
    ]);
}

/** Makes the administrator `root`, unless there is any user. Two processes at once make it once. */
async function createAdministrator(services: OpenServices, env: NodeJS.ProcessEnv): Promise<FirstStart | null> {
  const ctx = new Context(services, ANONYMOUS);
  return ctx.transaction(async () => {
    await ctx.query(sql`select pg_advisory_xact_lock(7226502)`);
    const found = await ctx.queryOne(sql`select 1 as found from users limit 1`);
    if (found) return null;
    const password = env.INITIAL_ROOT_PASSWORD || randomBytes(15).toString('base64url');
    const token = env.INITIAL_ROOT_TOKEN || generateToken('pat-');
    const root = await insertUser(ctx, {
      username: 'root',
      name: 'Administrator',
      email: 'admin@example.com',
      admin: true,
      password_digest: await services.passwords.hash(password),
    });
    await insertToken(ctx, { user_id: root.id, name: 'Initial root token', scopes: TOKEN_SCOPES, plain: token });
    return {
      token: env.INITIAL_ROOT_TOKEN ? null : token,
      password: env.INITIAL_ROOT_PASSWORD ? null : password,
    };
  });
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
): Promise<FirstStart | null> {
  checkInitialSecrets(env);
  await migrate(domains, config.databaseUrl);
  const services = await openServices(domains, config, 'setup', { poolSize: 2, work: databaseWork.migration });
  try {
    await checkKey(services);
    return await createAdministrator(services, env);
  } finally {
    await services.close();
  }
}
