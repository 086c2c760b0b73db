import { ANONYMOUS } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import { Context } from '../../core/context/context.js';
import type { Services } from '../../core/context/context.js';
import { lockName } from '../../core/database/lock-name.js';
import { Runner } from './runner.entity.js';
import { DEFAULT_ATTRIBUTES } from './runner.rules.js';
import { createRunnerToken } from './runner-tokens.js';

/** What its description is in every list. */
const NAME = 'built-in';
/** Of two starts at a time one makes the runner. */
const LOCK = 'built-in runner';

async function writeBuiltInRunner(ctx: Context<Caller>, token: string, problem: string | null): Promise<void> {
  const now = ctx.clock.now();
  const changed = {
    token_digest: ctx.services.keys.digest(token),
    maintenance_note: problem,
    updated_at: now,
  };
  await lockName(ctx, LOCK);
  if ((await ctx.em.nativeUpdate(Runner, { built_in: true }, changed)) > 0) return;
  await ctx.em.insert(Runner, {
    ...DEFAULT_ATTRIBUTES,
    ...changed,
    runner_type: 'instance_type',
    namespace_id: null,
    creator_id: null,
    token_expires_at: null,
    registered_with: 'authenticated_user',
    built_in: true,
    description: NAME,
    contacted_at: null,
    created_at: now,
  });
}

/**
 * Gives the service's own runner a new token, for the one start of its program; makes the runner at the first start.
 *
 * @param problem why its program cannot run here, which its note then tells
 * @returns null where the instance wants none, or where there is a problem
 */
export async function renewBuiltInRunner(services: Services, problem: string | null): Promise<string | null> {
  const ctx = new Context(services, ANONYMOUS);
  if (!ctx.settings.built_in_runner) return null;
  const token = createRunnerToken();
  await ctx.transaction(() => writeBuiltInRunner(ctx, token, problem));
  return problem === null ? token : null;
}
