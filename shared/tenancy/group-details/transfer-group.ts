import { sql } from 'kysely';
import type { GroupRecord } from '../groups/group.entity.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { anyOf, arrayOf, constant } from '../../core/database/expressions.js';
import { idsWithin, isAtOrBelow } from '../namespaces/below.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { Invalid } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { answersFor, today } from '../namespaces/access.js';
import { lockTree, moveRoutes, isPathTaken } from '../namespaces/claim-path.js';
import { pathProblem } from '../namespaces/paths.js';
import { isWikiPathTaken } from '../namespaces/wiki-paths.js';
import { mayCreateGroups } from './create-group.js';
import { findGroup, group } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { MAX_ANCESTORS, groupNameProblems } from '../groups/group.rules.js';
import { settleStates } from '../groups/group-states.js';
import { setSharedRunners } from '../groups/set-shared-runners.js';
import { allowsMore } from '../groups/shared-runners.js';
import { lockSharesBelow } from '../groups/share-lock.js';
import { VISIBILITY, visibilityRank } from '../namespaces/namespace.entity.js';
import { IMAGES_STAY, mustKeepPath, projectsBelow } from '../projects/path-holds.js';

const SAME_PATH = 'The parent group already has a subgroup or a project with the same path.';
const failure = (reason: string) => new Invalid(`Transfer failed: ${reason}`);

/** Groups from this one down to the deepest below it, itself included. */
async function getHeight(ctx: Context, found: GroupRecord): Promise<number> {
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as d')
    .select((eb) => eb.fn.max(eb.fn<number>('cardinality', ['d.traversal_ids'])).as('deepest'))
    .where(isAtOrBelow('d', found.id))
    .executeTakeFirst();
  return (row?.deepest ?? 0) - found.traversal_ids.length + 1;
}

/** @throws Invalid unless the group may go below the target, or to the top (core-resources.md section 3) */
async function requireMovable(ctx: SignedInContext, found: GroupRecord, target: GroupRecord | null): Promise<void> {
  if (!target && found.parent_id === null) throw failure('Group is already a root group.');
  if (target?.id === found.parent_id) throw failure('Group is already associated to the parent group.');
  if (target?.traversal_ids.includes(found.id)) throw failure('Cannot transfer group to one of its subgroup.');
  if (found.frozen) throw failure('Group is scheduled for deletion.');
  const allowed = target ? groupPolicy.create_subgroup(ctx.caller, target) : await mayCreateGroups(ctx);
  if (!allowed) throw failure("You don't have enough permissions.");
  const above = target?.traversal_ids.length ?? 0;
  if (above + (await getHeight(ctx, found)) > MAX_ANCESTORS + 1) throw failure('Parent has too deep level of nesting');
  const problem = target ? null : pathProblem(found.path, 'top');
  if (problem) throw failure(`Path ${problem}`);
}

/** Hangs a tree of groups elsewhere: one statement for all of it. */
async function hang(ctx: Context, found: GroupRecord, target: GroupRecord | null): Promise<void> {
  const above = arrayOf(target?.traversal_ids ?? [], 'bigint');
  const depth = found.traversal_ids.length;
  await ctx.em
    .getKysely<TenancyDatabase>()
    .updateTable('namespaces as d')
    .set((eb) => ({
      traversal_ids: sql<number[]>`${above} || ${eb.ref('d.traversal_ids')}[${depth}::int:]`,
      parent_id: eb
        .case()
        .when('d.id', '=', found.id)
        .then(eb.cast<number | null>(eb.val(target?.id ?? null), 'bigint'))
        .else(eb.ref('d.parent_id'))
        .end(),
      updated_at: ctx.clock.now(),
    }))
    .where(isAtOrBelow('d', found.id))
    .execute();
}

/** Nothing is more visible than what it lies in: subgroups and projects come down with the group. */
async function lowerVisibility(ctx: Context, groupId: number, limit: string): Promise<void> {
  const wider = VISIBILITY.slice(visibilityRank(limit) + 1);
  const db = ctx.em.getKysely<TenancyDatabase>();
  await db
    .updateTable('namespaces as d')
    .set('visibility', limit)
    .where(isAtOrBelow('d', groupId))
    .where('d.visibility', '=', anyOf(wider, 'text'))
    .execute();
  await db
    .updateTable('projects as p')
    .set('visibility', limit)
    .where('p.namespace_id', 'in', idsWithin(groupId))
    .where('p.visibility', '=', anyOf(wider, 'text'))
    .execute();
}

/**
 * Makes the caller an Owner of a group moved to the top level, as the creator of a group would be; otherwise it might
 * have no Owner, or the caller might lose it. An administrator becomes Owner only if there is no other.
 */
async function ensureOwner(ctx: SignedInContext, found: GroupRecord): Promise<void> {
  const { id, username } = ctx.caller.user;
  const db = ctx.em.getKysely<TenancyDatabase>();
  const role = db
    .selectNoFrom((eb) => [
      eb.cast<number>(eb.val(found.id), 'bigint').as('namespace_id'),
      eb.cast<number>(eb.val(id), 'bigint').as('user_id'),
      constant(50).as('access_level'),
      eb.cast<number>(eb.val(id), 'bigint').as('created_by_id'),
      eb.cast<Date>(eb.val(ctx.clock.now()), 'timestamptz').as('created_at'),
    ])
    .$if(ctx.caller.admin, (query) =>
      query.where((eb) => {
        const owners = eb
          .selectFrom('group_members as m')
          .innerJoin('users as u', 'u.id', 'm.user_id')
          .select(eb.lit(1).as('one'))
          .where('m.namespace_id', '=', found.id)
          .where(answersFor(today(ctx)));
        return eb.not(eb.exists(owners));
      }),
    );
  const row = await db
    .insertInto('group_members')
    .columns(['namespace_id', 'user_id', 'access_level', 'created_by_id', 'created_at'])
    .expression(role)
    .onConflict((conflict) =>
      conflict
        .columns(['namespace_id', 'user_id'])
        .doUpdateSet({ access_level: 50, expires_on: null })
        .where((eb) =>
          eb.or([eb('group_members.access_level', '<', 50), eb('group_members.expires_on', 'is not', null)]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) return;
  const group = { id: found.id, full_path: found.path };
  ctx.record({ type: 'member.added', container: { group }, member: { id, username, access_level: 50 } });
}

/** Moves a group after permission checks and with all locks held. @throws Invalid if the path is taken */
async function moveTo(ctx: SignedInContext, found: GroupRecord, target: GroupRecord | null): Promise<void> {
  const to = {
    path: target ? `${target.full_path}/${found.path}` : found.path,
    name: target ? `${target.full_name} / ${found.name}` : found.name,
  };
  if (await mustKeepPath(ctx, projectsBelow(found))) throw failure(IMAGES_STAY);
  if ((await isPathTaken(ctx, to.path, found.id)) || (await isWikiPathTaken(ctx, to.path))) throw failure(SAME_PATH);
  if ((await groupNameProblems(ctx, found.name, target?.id, found.id)).name)
    throw failure('Validation failed: Name has already been taken');
  if (!(await moveRoutes(ctx, found.id, { path: found.full_path, name: found.full_name }, to)))
    throw failure(SAME_PATH);
  await hang(ctx, found, target);
  await settleStates(ctx, found.id);
  if (!target) return ensureOwner(ctx, found);
  await lowerVisibility(ctx, found.id, target.visibility);
  const { shared_runners_setting: limit } = target.settings;
  if (allowsMore(found.settings.shared_runners_setting, limit)) await setSharedRunners(ctx, found.id, limit);
  if (target.settings.share_with_group_lock) await lockSharesBelow(ctx, found.id);
}

/**
 * Transfer a group below another one, or to the top level. Requires an Owner who may create groups at the target. All
 * descendants move along; roles inherited from the old ancestors are lost, those from the new ancestors apply.
 */
export const transferGroup = operation({
  name: 'transferGroup',
  summary: 'Transfer a group',
  example: { group_id: 2 },
  resource: group,
  can: can(groupPolicy, 'transfer_group'),
  kind: 'write',
  statements: 47,
  params: { group_id: optional(integer()).describe('ID of the new parent group; the top level if omitted.') },
  async run(ctx, found, input) {
    // Checked before locking: callers who cannot see the target get a 404 and learn nothing about it.
    if (input.group_id !== undefined) await findGroup(ctx, input.group_id);
    await lockTree(ctx, found.id, input.group_id ?? null);
    // Either may have moved, or changed hands, until both were locked.
    const before = await findGroup(ctx, found.id);
    authorize(ctx, groupPolicy, 'transfer_group', before);
    const target = input.group_id === undefined ? null : await findGroup(ctx, input.group_id);
    await requireMovable(ctx, before, target);
    await moveTo(ctx, before, target);
    ctx.record({ type: 'access.reduced', of: 'everybody', to: { kind: 'group', id: before.id } });
    const after = await findGroup(ctx, before.id);
    ctx.record({ type: 'group.transferred', before, after });
    return after;
  },
});
