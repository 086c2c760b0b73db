import { flag, withDefault } from '../core/fields.js';
import { instance, operation } from '../core/operation.js';
import { sql } from '../core/sql.js';
import { groupConditions, groupFilterParams, groupOrder } from './group.filters.js';
import { group, visibleGroups } from './group.finder.js';

/** List the groups that the caller may see, by name. */
export const listGroups = operation({
  summary: 'List groups',
  subject: instance,
  gate: 'open',
  kind: 'read',
  statements: 3,
  params: groupFilterParams,
  run: (ctx, _instance, input) =>
    Promise.resolve({ ...visibleGroups(ctx, groupConditions(ctx, input)), order: groupOrder(input) }),
});

/** Read one group: members, and everybody where it is public. */
export const getGroup = operation({
  summary: 'Read a group',
  subject: group,
  gate: 'open',
  kind: 'read',
  statements: 5,
  params: { with_projects: withDefault(flag(), true).describe('With up to 100 of its own projects.') },
  run: (_ctx, found, input) => Promise.resolve({ ...found, with_projects: input.with_projects }),
});

/** List the groups right below a group. */
export const listSubgroups = operation({
  summary: 'List subgroups',
  subject: group,
  gate: 'open',
  kind: 'read',
  statements: 4,
  params: groupFilterParams,
  run(ctx, found, input) {
    const where = [sql`n.parent_id = ${found.id}`, ...groupConditions(ctx, input)];
    return Promise.resolve({ ...visibleGroups(ctx, where), order: groupOrder(input) });
  },
});

/** List all groups below a group, at any depth. */
export const listDescendantGroups = operation({
  summary: 'List descendant groups',
  subject: group,
  gate: 'open',
  kind: 'read',
  statements: 4,
  params: groupFilterParams,
  run(ctx, found, input) {
    const below = sql`n.traversal_ids @> array[${found.id}]::bigint[] and n.id <> ${found.id}`;
    return Promise.resolve({
      ...visibleGroups(ctx, [below, ...groupConditions(ctx, input)]),
      order: groupOrder(input),
    });
  },
});
