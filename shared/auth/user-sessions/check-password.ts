import { getClientNetwork } from '../../core/values/client-network.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, RateLimited, Unauthenticated } from '../../core/values/errors.js';
import type { LimitKey } from '../../core/rate-limits/rate-limiter.js';
import { inTurn, requireHashCapacity } from '../../core/threads/passwords.js';
import { constant, sameText } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import type { SignInFailure } from '../auth.events.js';
import { callerAsUser } from '../../tenancy/users/caller-columns.js';

type SignInLimit = 'sign_in' | 'sign_in_address' | 'sign_in_account';

export interface Account {
  user: CallerUser;
  password_digest: string | null;
}

export const WRONG = 'Invalid login or password.';
/** No password is as long (`user.rules.ts`); a longer text is not hashed in full, and is never right. */
const PASSWORD_CHARACTERS = 1024;

/** @throws RateLimited when something is tried too often (contract/README.md "Rate limits and their defaults") */
export async function countSignIn(ctx: Context, name: SignInLimit, key: LimitKey): Promise<void> {
  const usage = await ctx.services.limiter.consume(name, key);
  if (!usage?.exceeded) return;
  ctx.log.info({ limit: name, observed: usage.observed }, 'rate_limit.refused');
  throw new RateLimited(usage.retryAfterSeconds);
}

/** Whether there was a recent sign-in to the account from this address. */
async function knowsAddress(ctx: Context, account: Account | null): Promise<boolean> {
  if (!account || ctx.origin.ip === null) return false;
  const session = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('user_sessions')
    .select('id')
    .where('user_id', '=', account.user.id)
    .where('ip_address', '=', ctx.origin.ip)
    .limit(constant(1))
    .executeTakeFirst();
  return session !== undefined;
}

/**
 * Counts an attempt by address and account together, and beyond that, with a higher limit, by each alone: attempts by
 * others from the same address or for the same account do not lock out users who signed in from this address before.
 * @throws RateLimited
 */
async function countTry(ctx: Context, login: string, account: Account | null): Promise<void> {
  const address = ['address', getClientNetwork(ctx.origin.ip)];
  const who = account ? ['user', account.user.id] : ['login', login.toLowerCase()];
  await countSignIn(ctx, 'sign_in', [...address, ...who]);
  try {
    await countSignIn(ctx, 'sign_in_address', address);
    await countSignIn(ctx, 'sign_in_account', who);
  } catch (error) {
    if (!(error instanceof RateLimited) || !(await knowsAddress(ctx, account))) throw error;
  }
}

/** A username or an address, whatever its case. */
export async function findAccount(ctx: Context, login: string): Promise<Account | null> {
  if (login.includes('\0') || !login.isWellFormed()) return null;
  const account = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('users as u')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(['u.password_digest', ...callerAsUser()])
    .$narrowType<{ user: CallerUser }>()
    .where((eb) => eb.or([sameText(eb.ref('u.username'), login), sameText(eb.ref('u.email'), login)]))
    .where('u.bot', '=', constant(false))
    .where('u.internal', '=', constant(false))
    .executeTakeFirst();
  return account ?? null;
}

/** Does not record the submitted login: it may be a password typed into the wrong field. */
function recordFailure(ctx: Context, account: Account | null, reason: SignInFailure): Promise<void> {
  return ctx.transaction(() => {
    ctx.record({ type: 'user.sign_in_failed', user: account?.user ?? null, reason });
    return Promise.resolve();
  });
}

/** An account whose password was verified. */
interface CheckedAccount extends Account {
  password_digest: string;
}

/**
 * Checks the password of the account found for a login, null if there is none. Attempts are counted by address and
 * account, including failed ones. Without an account or a password, the response takes as long as with one.
 * @throws Unauthenticated, Forbidden (blocked), RateLimited, Overloaded (too many hashes wait)
 */
export async function checkPassword(
  ctx: Context,
  credentials: { login: string; password: string },
  found: Account | null,
): Promise<CheckedAccount> {
  const { passwords } = ctx.services;
  await countTry(ctx, credentials.login, found);
  requireHashCapacity();
  const hash = found?.password_digest ?? passwords.unmatchable;
  const tooLong = credentials.password.length > PASSWORD_CHARACTERS;
  const right = (await inTurn(() => passwords.verify(tooLong ? '' : credentials.password, hash))) && !tooLong;
  if (!found || !right) {
    await recordFailure(ctx, found, found ? 'wrong password' : 'unknown account');
    throw new Unauthenticated('unknown', WRONG);
  }
  if (found.user.state !== 'active') {
    await recordFailure(ctx, found, 'account is blocked');
    throw new Forbidden('Your account has been blocked.');
  }
  return { ...found, password_digest: hash };
}
