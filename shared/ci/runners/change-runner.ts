import { ANONYMOUS } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import type { RunnerEvent } from '../ci.events.js';
import type { RunnerChanges } from './create-runner.js';
import { findRunner, lockRunnerRow, noAccess } from './found-runner.js';
import type { FoundRunner } from './found-runner.js';
import { Runner, RunnerManager } from './runner.entity.js';
import { runnerPolicy } from './runner.policy.js';
import { normalizeTags, requireValidRunner } from './runner.rules.js';
import type { RunnerAttributes } from './runner.rules.js';
import type { IssuedToken } from './runner-tokens.js';
import { createRunnerToken } from './runner-tokens.js';
import { forgetRunnerManager } from './touch-runner-manager.js';

const EDITABLE = [
  'description',
  'paused',
  'locked',
  'run_untagged',
  'tag_list',
  'access_level',
  'maximum_timeout',
  'maintenance_note',
] as const satisfies (keyof RunnerAttributes)[];

/** A runner as events name it. */
const noteRunner = ({ id, runner_type, description, owner }: FoundRunner): RunnerEvent => ({
  runner: { id, runner_type, description },
  owner,
});

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Locks a runner, and finds it as it is now. @throws NotFound, Forbidden where the caller has lost the right on it */
async function lockRunner(ctx: Context, id: number): Promise<FoundRunner> {
  await lockRunnerRow(ctx, id);
  const found = await findRunner(ctx, id);
  if (!runnerPolicy.update_runner(ctx.caller, found)) throw noAccess();
  return found;
}

/** Changes a runner; a change to what is stored already is none. @throws Invalid, Forbidden, NotFound */
export async function updateRunnerAttributes(ctx: Context, id: number, changes: RunnerChanges): Promise<FoundRunner> {
  const before = await lockRunner(ctx, id);
  const sent = Object.fromEntries(
    EDITABLE.flatMap((name) => (changes[name] === undefined ? [] : [[name, changes[name]]])),
  );
  const after: FoundRunner = { ...before, ...sent };
  after.tag_list = normalizeTags(after.tag_list);
  const attributes = EDITABLE.filter((name) => !isSame(before[name], after[name]));
  if (attributes.length === 0) return before;
  requireValidRunner(after);
  const changed = Object.fromEntries(attributes.map((name) => [name, after[name] ?? null]));
  after.updated_at = ctx.clock.now();
  await ctx.em.nativeUpdate(Runner, { id }, { ...changed, updated_at: after.updated_at });
  ctx.record({ type: 'runner.updated', ...noteRunner(after), attributes });
  return after;
}

async function writeToken(
  ctx: Context<Caller>,
  { id, registered_with: registeredWith }: Pick<Runner, 'id' | 'registered_with'>,
): Promise<IssuedToken> {
  const token = createRunnerToken(registeredWith === 'registration_token');
  const changed = { token_digest: ctx.services.keys.digest(token), token_expires_at: null };
  const written = await ctx.em.nativeUpdate(Runner, { id }, { ...changed, updated_at: ctx.clock.now() });
  if (written === 0) throw new NotFound('Runner');
  return { id, token, token_expires_at: null };
}

/** Gives a runner a new token; the one that it has is refused from the commit on. */
export async function resetRunnerToken(ctx: Context, found: FoundRunner): Promise<IssuedToken> {
  const issued = await writeToken(ctx, found);
  ctx.record({ type: 'runner.token_reset', ...noteRunner(found) });
  return issued;
}

/** Deletes a runner with its managers; its jobs stay. @throws Forbidden for one of several projects, but to administrators */
export async function removeRunner(ctx: Context, found: FoundRunner): Promise<void> {
  if (found.assigned_to_several && !ctx.caller.admin)
    throw new Forbidden('Runner associated with more than one project');
  if ((await ctx.em.nativeDelete(Runner, { id: found.id })) === 0) throw new NotFound('Runner');
  ctx.record({ type: 'runner.deleted', ...noteRunner(found) });
}

/**
 * The runner behind a token, with what events tell of it. No right is looked at: the token is one.
 * @throws Forbidden where the runner was deleted meanwhile, as for any unknown token
 */
async function findOwnRunner(ctx: Context<Caller>, id: number): Promise<FoundRunner> {
  const anonymous = ctx.as(ANONYMOUS);
  await lockRunnerRow(anonymous, id);
  try {
    return await findRunner(anonymous, id);
  } catch (error) {
    throw error instanceof NotFound ? new Forbidden() : error;
  }
}

/** The same for a program that sent the runner's token. */
export async function resetOwnToken(ctx: Context<Caller>, { id }: Pick<Runner, 'id'>): Promise<IssuedToken> {
  const found = await findOwnRunner(ctx, id);
  const issued = await writeToken(ctx, found);
  ctx.record({ type: 'runner.token_reset', ...noteRunner(found) });
  return issued;
}

/** Deletes the runner whose token a program sent. */
export async function removeOwnRunner(ctx: Context<Caller>, { id }: Pick<Runner, 'id'>): Promise<void> {
  const found = await findOwnRunner(ctx, id);
  if ((await ctx.em.nativeDelete(Runner, { id })) === 0) throw new NotFound('Runner');
  ctx.record({ type: 'runner.deleted', ...noteRunner(found) });
}

/** Deletes one program of a runner. @throws NotFound */
export async function removeManager(ctx: Context<Caller>, { id }: Pick<Runner, 'id'>, systemId: string): Promise<void> {
  if ((await ctx.em.nativeDelete(RunnerManager, { runner_id: id, system_id: systemId })) === 0) throw new NotFound();
  ctx.afterCommit(() => forgetRunnerManager(ctx, id, systemId));
}
