import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { clearable, clearableText, day, integer, oneOf, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Milestone } from './milestone.entity.js';
import type { MilestoneRecord } from './milestone.entity.js';
import { findMilestoneOf } from './milestone.finder.js';
import { milestonePolicy } from './milestone.policy.js';
import { milestoneFailure, milestoneProblems } from './milestone.rules.js';
import { nextMilestoneIid } from './next-iid.js';

/** Names the milestone in a path. */
export const milestoneParam = { milestone_id: integer().describe('ID of the milestone.') };

const dates = {
  description: clearableText().describe('Description of the milestone, in Markdown.'),
  due_date: clearable(day()).describe('Due date of the milestone, which is its last day, as `YYYY-MM-DD`.'),
  start_date: clearable(day()).describe('Start date of the milestone, which is its first day, as `YYYY-MM-DD`.'),
};

/** Creating a milestone: Planners, Reporters and above. */
export function milestoneCreation({ kind, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `create${noun}Milestone`,
    summary: `Create a milestone of a ${kind}`,
    resource,
    can: can(milestonePolicy, 'create_milestone'),
    kind: 'write',
    params: {
      title: text()
        .describe('Title of the milestone.')
        .meta({ examples: ['1.0'] }),
      ...dates,
    },
    async run(ctx, container, input): Promise<MilestoneRecord> {
      await lockContainer(ctx, container);
      const { title, description = null, start_date = null, due_date = null } = input;
      const values = { title: title.trim(), description, start_date, due_date };
      const problems = await milestoneProblems(ctx, container, values, 0);
      if (Object.keys(problems).length > 0) throw milestoneFailure('create', problems);
      const now = ctx.clock.now();
      const iid = await nextMilestoneIid(ctx, container);
      const row = { ...containerColumns(container), ...values, iid, state: 'active', created_at: now, updated_at: now };
      const id = await ctx.em.insert(Milestone, row);
      ctx.record({ type: 'milestone.created', container: container.summary, milestone: { id, title: row.title } });
      return { id, ...row, full_path: container.record.full_path };
    },
  });
}

interface MilestoneChange {
  title?: string | undefined;
  description?: string | null | undefined;
  start_date?: string | null | undefined;
  due_date?: string | null | undefined;
  state_event?: 'close' | 'activate' | undefined;
}

const STATE_AFTER = { close: 'closed', activate: 'active' } as const;

async function edit(
  ctx: Context,
  container: Container,
  id: number,
  { state_event: event, ...changes }: MilestoneChange,
): Promise<MilestoneRecord> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('milestones as m')
    .select('m.id')
    .where('m.id', '=', id)
    .forNoKeyUpdate()
    .execute();
  const before = await findMilestoneOf(ctx, container, id);
  const {
    title = before.title,
    description = before.description ?? null,
    start_date = before.start_date ?? null,
    due_date = before.due_date ?? null,
  } = changes;
  const values = { title: title.trim(), description, start_date, due_date };
  const problems = await milestoneProblems(ctx, container, values, id);
  if (Object.keys(problems).length > 0) throw milestoneFailure('update', problems);
  const state = event === undefined ? before.state : STATE_AFTER[event];
  const change = { ...values, state, updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(Milestone, { id }, change);
  const turned = state === before.state ? {} : { turned: state as 'closed' | 'active' };
  ctx.record({
    type: 'milestone.updated',
    container: container.summary,
    milestone: { id, title: change.title },
    ...turned,
  });
  return { ...before, ...change };
}

/** Editing, closing and deleting a milestone: Planners, Reporters and above. */
export function milestoneEditing({ kind, noun, resource }: ContainerType<Container>) {
  return {
    update: operation({
      name: `update${noun}Milestone`,
      summary: `Edit a milestone of a ${kind}, close it or open it again`,
      resource,
      can: can(milestonePolicy, 'update_milestone'),
      kind: 'write',
      example: { title: '1.1' },
      params: {
        ...milestoneParam,
        title: text().optional().describe('Title of the milestone.'),
        ...dates,
        state_event: optional(oneOf(['close', 'activate'])).describe(
          'Event that closes the milestone or activates it again.',
        ),
      },
      rules: [getAtLeastOne('title', 'description', 'start_date', 'due_date', 'state_event')],
      run: (ctx, container, { milestone_id, ...changes }) => edit(ctx, container, milestone_id, changes),
    }),

    /** What was planned for it is planned for none. */
    remove: operation({
      name: `delete${noun}Milestone`,
      summary: `Delete a milestone of a ${kind}`,
      resource,
      can: can(milestonePolicy, 'destroy_milestone'),
      kind: 'write',
      params: milestoneParam,
      async run(ctx, container, { milestone_id: id }) {
        const milestone = await findMilestoneOf(ctx, container, id);
        requireUnmodified(ctx, milestone);
        // Of two at once one finds nothing any more.
        if ((await ctx.em.nativeDelete(Milestone, { id })) === 0) throw new NotFound();
        ctx.record({
          type: 'milestone.deleted',
          container: container.summary,
          milestone: { id, title: milestone.title },
        });
      },
    }),
  };
}
