import type { Context } from '../../core/context/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import { containerOfGroup, containerOfProject } from '../../tenancy/containers/container.js';
import type { Container, ProjectContainer } from '../../tenancy/containers/container.js';
import { administers } from '../../core/operations/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import type { CiDatabase } from '../ci.entities.js';
import { Runner, RunnerProject } from './runner.entity.js';
import type { RunnerType } from './runner.entity.js';
import { DEFAULT_ATTRIBUTES, normalizeTags, requireValidRunner } from './runner.rules.js';
import type { RunnerAttributes } from './runner.rules.js';
import type { IssuedToken } from './runner-tokens.js';
import { createRunnerToken } from './runner-tokens.js';

/** Attributes that were sent; those left out have defaults, or stay. */
export type RunnerChanges = { readonly [Name in keyof RunnerAttributes]?: RunnerAttributes[Name] | undefined };

/** What a new runner belongs to; null is the instance. */
export type RunnerOwner = Pick<Container, 'kind' | 'id' | 'summary'> | null;

interface NewRunner extends RunnerChanges {
  readonly runner_type: RunnerType;
  readonly group_id?: number | undefined;
  readonly project_id?: number | undefined;
}

/** @throws Forbidden where the caller may not create runners, NotFound for what is hidden */
async function findOwner(ctx: Context, input: NewRunner): Promise<Container | null> {
  const { runner_type: type, group_id: groupId, project_id: projectId } = input;
  if (type === 'instance_type') {
    if (!ctx.caller.admin) throw new Forbidden();
    return null;
  }
  const owner =
    type === 'group_type'
      ? containerOfGroup(await findGroup(ctx, groupId ?? 0))
      : containerOfProject(await findProject(ctx, projectId ?? 0));
  if (!administers(ctx.caller, owner) || !owner.open) throw new Forbidden();
  return owner;
}

/** Keeps a project's number of runners from changing until the transaction ends. @throws NotFound */
export async function lockRunnersOfProject(ctx: Context, projectId: number): Promise<void> {
  const locked = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw new NotFound('Project');
}

/** @throws Invalid where the group has as many runners as it may have */
async function requireRoomInGroup(ctx: Context, groupId: number): Promise<void> {
  const groups = ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('namespaces as n')
    .select('n.id')
    .where('n.id', '=', groupId);
  if (!(await groups.forNoKeyUpdate().executeTakeFirst())) throw new NotFound('Group');
  const { ci_registered_group_runners: limit } = ctx.settings;
  if (limit === 0 || (await ctx.em.count(Runner, { namespace_id: groupId })) < limit) return;
  throw new Invalid({ base: [`Maximum number of ci registered group runners (${limit}) exceeded`] });
}

/**
 * Assigns a runner to a project that has room for one more. Expects {@link lockRunnersOfProject}.
 * @throws Invalid
 */
export async function insertAssignment(
  ctx: Context,
  project: Pick<ProjectContainer, 'id'>,
  runnerId: number,
): Promise<void> {
  const { ci_registered_project_runners: limit } = ctx.settings;
  if (limit > 0 && (await ctx.em.count(RunnerProject, { project_id: project.id })) >= limit)
    throw new Invalid({ base: [`Maximum number of ci registered project runners (${limit}) exceeded`] });
  await ctx.em.insert(RunnerProject, { runner_id: runnerId, project_id: project.id, created_at: ctx.clock.now() });
}

/**
 * Stores a runner with its token.
 * @param registered by a program that sent a registration token, not by a user
 * @throws NotFound, Invalid
 */
export async function insertRunner(
  ctx: Context,
  owner: RunnerOwner,
  { runner_type: type, ...changes }: RunnerChanges & { readonly runner_type: RunnerType },
  registered = false,
): Promise<IssuedToken> {
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const attributes: RunnerAttributes = { ...DEFAULT_ATTRIBUTES, ...sent };
  attributes.tag_list = normalizeTags(attributes.tag_list);
  requireValidRunner(attributes);
  if (owner?.kind === 'group') await requireRoomInGroup(ctx, owner.id);
  if (owner?.kind === 'project') await lockRunnersOfProject(ctx, owner.id);
  const now = ctx.clock.now();
  const token = createRunnerToken(registered);
  const id = await ctx.em.insert(Runner, {
    ...attributes,
    runner_type: type,
    namespace_id: owner?.kind === 'group' ? owner.id : null,
    creator_id: ctx.caller.id || null,
    token_digest: ctx.services.keys.digest(token),
    token_expires_at: null,
    registered_with: registered ? 'registration_token' : 'authenticated_user',
    built_in: false,
    contacted_at: null,
    created_at: now,
    updated_at: now,
  });
  if (owner?.kind === 'project') await insertAssignment(ctx, owner, id);
  ctx.record({
    type: 'runner.created',
    runner: { id, runner_type: type, description: attributes.description ?? null },
    owner: owner?.summary ?? null,
    registered,
  });
  return { id, token, token_expires_at: null };
}

/**
 * Creates a runner of the instance, of a group or of a project, and its token. Nothing runs jobs with it until a
 * program is started with that token.
 * @throws Forbidden, NotFound, Invalid
 */
export async function createRunner(ctx: Context, input: NewRunner): Promise<IssuedToken> {
  const owner = await findOwner(ctx, input);
  const { group_id: _group, project_id: _project, ...attributes } = input;
  return insertRunner(ctx, owner, attributes);
}
