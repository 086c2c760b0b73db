import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql, textColumns } from '../../core/sql.js';
import { actAsUser } from '../../planning/issue-mentions/acting-user.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { nextExpiration } from '../../tenancy/project-settings/container-expiration.js';
import type { ContainerExpiration } from '../../tenancy/project-settings/project-settings.entity.js';
import { chooseTags } from './choose-tags.js';
import type { TagRule } from './choose-tags.js';
import { containerImagePolicy } from './container-image.policy.js';
import { cleanUpContainerRepository } from './container-registry.jobs.js';
import { ContainerRepository } from './container-repository.entity.js';
import { RegistryClient } from './registry-client.js';

/** Policies of one step. */
const BATCH = 100;
/** Tags that are deleted together. */
const TAGS_AT_ONCE = 50;

/** A repository that nobody is deleting; null for none. */
const findRepository = (ctx: Context, id: number): Promise<ContainerRepository | null> =>
  ctx.queryOne<ContainerRepository>(sql`
    select ${textColumns(ContainerRepository, 'c')} from container_repositories c where c.id = ${id} and c.status is null`);

/** Deletes the tags that a rule names. Done twice, it deletes nothing more than the rule says by then. */
async function deleteByRule(ctx: Context, repository: ContainerRepository, rule: TagRule): Promise<void> {
  if (!ctx.config.registry) return;
  const client = new RegistryClient(ctx, repository.path);
  const chosen = await chooseTags(ctx, repository, await client.tags(), rule);
  for (let at = 0; at < chosen.length; at += TAGS_AT_ONCE) {
    ctx.signal.throwIfAborted();
    await client.deleteTags(chosen.slice(at, at + TAGS_AT_ONCE));
  }
}

/** Deletes tags as somebody asked for it, if they still may. */
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

interface Due {
  id: number;
  policy: ContainerExpiration;
}

/** Starts some policies that are due. @returns whether there may be more */
async function startDue(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  const due = await ctx.query<Due>(sql`
    select s.project_id as "id", s.container_expiration_policy as "policy"
      from project_settings s join projects p on p.id = s.project_id
     where s.container_expiration_policy ->> 'enabled' = 'true' and s.container_expiration_next_run_at <= ${now}
       and p.removal_started_at is null
     order by s.container_expiration_next_run_at, s.project_id limit ${BATCH} for no key update of s skip locked`);
  if (due.length === 0) return false;
  const ids = due.map(({ id }) => id);
  await ctx.query(sql`
    update project_settings s set container_expiration_next_run_at = d.at
      from unnest(${ids}::bigint[], ${due.map(({ policy }) => nextExpiration(policy, now))}::timestamptz[]) as d (id, at)
     where s.project_id = d.id`);
  const repositories = await ctx.query<{ id: number }>(sql`
    update container_repositories c set cleanup_status = 'cleanup_scheduled' from projects p
     where c.project_id = any(${ids}::bigint[]) and p.id = c.project_id and c.status is null
       and not p.archived and p.marked_for_deletion_at is null
    returning c.id as "id"`);
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

/** Cleans up one repository by its project's policy, and says how far it is. */
export async function cleanUpByPolicy(ctx: Context, { repository_id: id }: { repository_id: number }): Promise<void> {
  const repository = await findRepository(ctx, id);
  const [row] = await ctx.query<{ policy: ContainerExpiration }>(sql`
    select s.container_expiration_policy as "policy" from project_settings s
      join container_repositories c on c.project_id = s.project_id where c.id = ${id}`);
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
