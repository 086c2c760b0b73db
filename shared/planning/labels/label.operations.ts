import type { Expression, SqlBool } from 'kysely';
import type { ContainerKind, ContainerType } from '../../core/operations/container.js';
import type { SignedInContext } from '../../core/context/context.js';
import { NotModified } from '../../core/values/errors.js';
import { boolean, optional, text, withDefault } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { forContainers, projectContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { labelCreation, labelDeletion, labelEditing } from './edit-labels.js';
import { labelParam } from './label-params.js';
import { findLabel, findTitledLabel, labelsLike, findLabels, onLabels } from './label.finder.js';
import { LabelSubscription } from './label.entity.js';
import type { LabelRecord } from './label.entity.js';
import { labelPolicy } from './label.policy.js';
import type { PlanningDatabase } from '../planning.entities.js';

const withAncestors = {
  include_ancestor_groups: withDefault(boolean(), true).describe('If `true`, includes labels of ancestor groups.'),
};

const ofGroups = () => ({
  include_descendant_groups: withDefault(boolean(), false).describe('If `true`, includes labels of descendant groups.'),
  only_group_labels: withDefault(boolean(), true).describe('If `false`, includes labels of the projects of the group.'),
});

/** Only groups have something below them. */
const groupParams = (kind: ContainerKind) => (kind === 'group' ? ofGroups() : {}) as ReturnType<typeof ofGroups>;

const filterParams = {
  search: optional(text()).describe('Part of the name or description of the label.'),
  title: optional(text()).describe('Exact name of the label.'),
  archived: optional(boolean()).describe(
    'If `true`, returns only archived labels; if `false`, only labels that are not archived.',
  ),
};

interface Filters {
  search?: string | undefined;
  title?: string | undefined;
  archived?: boolean | undefined;
}

function filters({ search, title, archived }: Filters): Expression<SqlBool>[] {
  return [
    ...(search === undefined || search === '' ? [] : [labelsLike(search)]),
    ...(title === undefined || title === '' ? [] : [onLabels('l.title', '=', title)]),
    ...(archived === undefined ? [] : [onLabels('l.archived', '=', archived)]),
  ];
}

/** Listing and reading require read access to the project's issues or merge requests, or to the group. */
function readingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = { resource, can: can(labelPolicy, 'read_label'), authentication: 'open', kind: 'read' } as const;
  return {
    list: operation({
      name: `list${noun}Labels`,
      ...readable,
      summary: `List the labels of a ${kind}`,
      statements: 6,
      params: {
        with_counts: withDefault(boolean(), false).describe(
          'If `true`, includes the number of issues and merge requests with each label.',
        ),
        ...withAncestors,
        ...groupParams(kind),
        ...filterParams,
      },
      run(ctx, container, input): Promise<List<LabelRecord>> {
        const reach = {
          ancestors: input.include_ancestor_groups,
          descendants: kind === 'group' && input.include_descendant_groups,
          projects: kind === 'group' && !input.only_group_labels,
        };
        return Promise.resolve(findLabels(ctx, container, reach, filters(input)));
      },
    }),

    get: operation({
      name: `get${noun}Label`,
      ...readable,
      summary: `Read a label of a ${kind}`,
      statements: 3,
      params: { ...labelParam, ...withAncestors },
      run: (ctx, container, input) =>
        findLabel(ctx, container, input.label_id, { ancestors: input.include_ancestor_groups }),
    }),
  };
}

/** The label with a title that records of a project can use, or null: its own, or else that of the nearest group. */
export const findProjectLabel = operation({
  name: 'findProjectLabel',
  summary: 'Read a label of a project by its title',
  resource: projectContainer.resource,
  can: can(labelPolicy, 'read_label'),
  authentication: 'open',
  kind: 'read',
  statements: 3,
  params: { title: text().describe('Title of the label.') },
  run: (ctx, container, { title }) => findTitledLabel(ctx, container, title),
});

/** @returns whether that changed anything */
async function setSubscription(ctx: SignedInContext, labelId: number, subscribed: boolean): Promise<boolean> {
  const { id: userId } = ctx.caller;
  const row = { label_id: labelId, user_id: userId };
  if (!subscribed) return (await ctx.em.nativeDelete(LabelSubscription, row)) > 0;
  const added = await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('label_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['label_id', 'user_id']).doNothing())
    .returning('label_id')
    .execute();
  return added.length > 0;
}

/** @throws NotModified where the caller's subscription is so already */
async function subscribe(
  ctx: SignedInContext,
  container: Container,
  reference: string,
  subscribed: boolean,
): Promise<LabelRecord> {
  const label = await findLabel(ctx, container, reference, { ancestors: true });
  if (!(await setSubscription(ctx, label.id, subscribed))) throw new NotModified();
  return { ...label, subscribed };
}

/** Subscribing to a label and unsubscribing from it, for the caller. */
function subscribingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const own = {
    resource,
    can: can(labelPolicy, 'subscribe_label'),
    kind: 'write',
    params: labelParam,
  } as const;
  return {
    subscribe: operation({
      name: `subscribeTo${noun}Label`,
      ...own,
      summary: `Subscribe to a label of a ${kind}`,
      run: (ctx, container, input) => subscribe(ctx, container, input.label_id, true),
    }),

    unsubscribe: operation({
      name: `unsubscribeFrom${noun}Label`,
      ...own,
      summary: `Unsubscribe from a label of a ${kind}`,
      run: (ctx, container, input) => subscribe(ctx, container, input.label_id, false),
    }),
  };
}

/** The operations on the labels of a project or group (core-resources.md section 8). */
export const labelOperations = forContainers((type) => ({
  ...readingOperations(type),
  create: labelCreation(type),
  ...labelEditing(type),
  ...labelDeletion(type),
  ...subscribingOperations(type),
}));
