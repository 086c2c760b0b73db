import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant, unnestedRows } from '../../core/database/expressions.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { nextExpiration } from '../../tenancy/projects/container-expiration.js';
import { chooseTags } from './choose-tags.js';
import type { TagRule } from './choose-tags.js';
import { containerImagePolicy } from './container-image.policy.js';
import { cleanUpContainerRepository } from '../packages.jobs.js';
import { ContainerRepository } from './container-repository.entity.js';
import { RegistryClient } from './registry-client.js';

/** Policies of one step. */
const BATCH = 100;
/** Tags that are deleted together. */
const TAGS_AT_ONCE = 50;

/** A repository that is not being deleted; null if there is none. */
const findRepository = async (ctx: Context, id: number): Promise<ContainerRepository | null> => {
  const row = await ctx.em
    .getKysely<PackagesDatabase>()
    .selectFrom('container_repositories as c')
    .select(columns(ContainerRepository, 'c'))
    .where('c.id', '=', id)
    .where('c.status', 'is', null)
    .executeTakeFirst();
  return row ?? null;
};

/** Deletes the tags that match a rule. Safe to repeat: a retry evaluates the rule again. */
async function deleteByRule(ctx: Context, repository: ContainerRepository, rule: TagRule): Promise<void> {
  if (!ctx.config.registry) return;
  const client = new RegistryClient(ctx, repository.path);
  const chosen = await chooseTags(ctx, repository, await client.tags(), rule);
  for (let at = 0; at < chosen.length; at += TAGS_AT_ONCE) {
    ctx.signal.throwIfAborted();
    await client.deleteTags(chosen.slice(at, at + TAGS_AT_ONCE));
  }
}

/** Deletes tags on behalf of the requesting user, if still permitted. */
export async function deleteTagsFor(
  ctx: Context,
  { repository_id: id, user_id: userId, rule }: { repository_id: number; user_id: number; rule: TagRule },
): Promise<void> {
  const acting = await actAsUser(ctx, userId);
  const repository = acting && (await findRepository(acting, id));
  const project = repository && (await findVisibleProject(acting, repository.project_id));
  if (project && containerImagePolicy.admin_container_image(acting.caller, project))
    await deleteByRule(acting, repository, rule);
}

/** Starts some policies that are due. @returns whether there may be more */
async function startDue(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<PackagesDatabase>();
  const due = await db
    .selectFrom('project_settings as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(['s.project_id as id', 's.container_expiration_policy as policy'])
    .where((eb) => {
      const enabled = eb.ref('s.container_expiration_policy', '->>').key('enabled');
      return eb(enabled.$castTo<string>(), '=', constant('true'));
    })
    .where('s.container_expiration_next_run_at', '<=', now)
    .where('p.removal_started_at', 'is', null)
    .orderBy('s.container_expiration_next_run_at')
    .orderBy('s.project_id')
    .limit(constant(BATCH))
    .forNoKeyUpdate('s')
    .skipLocked()
    .execute();
  if (due.length === 0) return false;
  const next = due.map(({ id, policy }) => ({ id, at: nextExpiration(policy, now) }));
  await db
    .updateTable('project_settings as s')
    .from(unnestedRows(next, { id: 'bigint', at: 'timestamptz' }).as('d'))
    .set((eb) => ({ container_expiration_next_run_at: eb.ref('d.at') }))
    .whereRef('s.project_id', '=', 'd.id')
    .execute();
  const ids = due.map(({ id }) => id);
  const repositories = await db
    .updateTable('container_repositories as c')
    .from('projects as p')
    .set({ cleanup_status: constant('cleanup_scheduled') })
    .where('c.project_id', '=', anyOf(ids, 'bigint'))
    .whereRef('p.id', '=', 'c.project_id')
    .where('c.status', 'is', null)
    .where('p.archived', '=', constant(false))
    .where('p.marked_for_deletion_at', 'is', null)
    .returning('c.id')
    .execute();
  await ctx.jobs.sendAll(
    cleanUpContainerRepository,
    repositories.map(({ id }) => ({ repository_id: id })),
  );
  return due.length === BATCH;
}

/** Starts the expiration policies of projects that are due, in steps. Done twice, it starts none again. */
export const startDuePolicies = (ctx: Context): Promise<void> =>
  inSteps(ctx, () => ctx.transaction(() => startDue(ctx)));

const setStatus = (ctx: Context, id: number, cleanup_status: string, more: { cleanup_started_at?: Date } = {}) =>
  ctx.transaction(() => ctx.em.nativeUpdate(ContainerRepository, { id }, { cleanup_status, ...more }));

/** Cleans up one repository by its project's policy, and records the progress. */
export async function cleanUpByPolicy(ctx: Context, { repository_id: id }: { repository_id: number }): Promise<void> {
  const repository = await findRepository(ctx, id);
  const row = await ctx.em
    .getKysely<PackagesDatabase>()
    .selectFrom('project_settings as s')
    .innerJoin('container_repositories as c', 'c.project_id', 's.project_id')
    .select('s.container_expiration_policy as policy')
    .where('c.id', '=', id)
    .executeTakeFirst();
  if (!repository || !row) return;
  await setStatus(ctx, id, 'cleanup_ongoing', { cleanup_started_at: ctx.clock.now() });
  const { enabled, keep_n, older_than, name_regex, name_regex_keep } = row.policy;
  try {
    if (enabled)
      await deleteByRule(ctx, repository, { name_regex_delete: name_regex, name_regex_keep, keep_n, older_than });
  } catch (error) {
    await setStatus(ctx, id, 'cleanup_unfinished');
    throw error;
  }
  await setStatus(ctx, id, 'cleanup_unscheduled');
}
