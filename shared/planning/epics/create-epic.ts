import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { instant, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { group } from '../../tenancy/groups/group.finder.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { changedLabels } from '../issuables/change-labels.js';
import { epicType } from '../issuables/issuable-type.js';
import { setLabels } from '../issuables/set-people-and-labels.js';
import { colorCode } from '../labels/label-colors.js';
import type { EpicChange } from '../issuables/issuable-changes.js';
import { Epic } from './epic.entity.js';
import type { EpicRecord } from './epic.entity.js';
import { findEpic } from './epic.finder.js';
import { groupEpicPolicy } from './epic.policy.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { chosenParent } from './epic-parent.js';
import { DEFAULT_COLOR, epicParams, requireEpicValues } from './epic-values.js';

const newEpicParams = {
  title: text()
    .describe('Title of the epic, of at most 255 characters.')
    .meta({ examples: ['Move to the new engine'] }),
  ...epicParams,
  created_at: optional(instant()).describe(
    'Timestamp of when the epic was created: for Owners; for others, the current time is used.',
  ),
};
type Input = z.output<z.ZodObject<typeof newEpicParams>>;

const LAST = 2 ** 31 - 1;

/** The next number of an epic in its group; the group stays until the transaction ends. @throws NotFound, Invalid */
async function takeNumber(ctx: SignedInContext, groupId: number): Promise<number> {
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('namespace_counters')
    .columns(['namespace_id', 'kind', 'last_value'])
    .expression((eb) =>
      eb
        .selectFrom('namespaces as n')
        .select(['n.id', constant('epic').as('kind'), constant(1).as('last_value')])
        .where('n.id', '=', groupId)
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['namespace_id', 'kind'])
        .doUpdateSet((eb) => ({ last_value: eb('namespace_counters.last_value', '+', eb.lit(1)) })),
    )
    .returning('last_value')
    .executeTakeFirst();
  if (!row) throw new NotFound('Group');
  if (row.last_value > LAST) throw new Invalid({ iid: [`must be less than or equal to ${LAST}`] });
  return row.last_value;
}

/** The columns of a new epic except its title. */
const getValues = (input: Input, parent: EpicRecord | null) => ({
  description: input.description ?? null,
  confidential: input.confidential ?? false,
  color: colorCode(input.color ?? DEFAULT_COLOR) ?? DEFAULT_COLOR,
  parent_id: parent?.id ?? null,
  start_date_is_fixed: input.start_date_is_fixed ?? false,
  start_date_fixed: input.start_date_fixed ?? null,
  due_date_is_fixed: input.due_date_is_fixed ?? false,
  due_date_fixed: input.due_date_fixed ?? null,
});

/** Stores an epic of a group that the caller may make one in. @throws Invalid, Forbidden */
export async function insertEpic(ctx: SignedInContext, found: GroupRecord, input: Input): Promise<EpicRecord> {
  requireEpicValues(input);
  const confidential = input.confidential ?? false;
  const parent = input.parent_id
    ? await chosenParent(ctx, found, { child: null, id: input.parent_id, confidential })
    : null;
  const labels = await changedLabels(ctx, found, [], { labels: input.labels });
  const iid = await takeNumber(ctx, found.id);
  const created_at =
    (groupEpicPolicy.set_epic_origin(ctx.caller, found) ? input.created_at : undefined) ?? ctx.clock.now();
  const id = await ctx.em.insert(Epic, {
    namespace_id: found.id,
    iid,
    title: input.title.trim(),
    ...getValues(input, parent),
    state: 'opened',
    author_id: ctx.caller.id,
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    imported_from: 'none',
    created_at,
    updated_at: created_at,
  });
  const changes: EpicChange[] = (await setLabels(
    ctx,
    epicType,
    { id, namespace_id: found.id },
    { before: [], after: labels },
  )) as EpicChange[];
  if (parent) changes.push({ attribute: 'parent', from: null, to: parent });
  const epic = await findEpic(ctx, found, iid);
  ctx.record({ type: 'epic.created', epic, group: found, changes });
  return epic;
}

/** Create an epic: Reporters and above (core-resources.md section 8). */
export const createEpic = operation({
  name: 'createEpic',
  summary: 'Create an epic',
  resource: group,
  can: can(groupEpicPolicy, 'create_epic'),
  plan: 'premium',
  kind: 'write',
  statements: 25,
  params: newEpicParams,
  run: (ctx, found, input) => insertEpic(ctx, found, input),
});
