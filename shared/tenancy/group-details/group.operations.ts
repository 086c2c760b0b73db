import { boolean, withDefault } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { isAtOrBelow } from '../namespaces/below.js';
import { withAttributesParam } from '../containers/custom-attribute.filters.js';
import { groupFilterParams, filteredGroups, groupKeyset, statisticsParam } from './group.filters.js';
import { group, onGroups } from '../groups/group.finder.js';

/** List the groups that the caller may see, by name. */
export const listGroups = operation({
  name: 'listGroups',
  summary: 'List groups visible to the caller',
  limit: 'groups_list',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: { ...groupFilterParams, ...statisticsParam },
  run: (ctx, _instance, input) =>
    Promise.resolve({ ...filteredGroups(ctx, [], input), keyset: groupKeyset(ctx, input) }),
});

/** Read one group. Visible to members, and to all callers if it is public. */
export const getGroup = operation({
  name: 'getGroup',
  summary: 'Read a group',
  limit: 'group_read',
  resource: group,
  authentication: 'open',
  kind: 'read',
  statements: 6,
  params: {
    with_projects: withDefault(boolean(), true).describe("If `true`, includes up to 100 of the group's own projects."),
    ...withAttributesParam,
  },
  run: (_ctx, found) => Promise.resolve(found),
});

/** List the groups right below a group. */
export const listSubgroups = operation({
  name: 'listSubgroups',
  summary: 'List subgroups of a group',
  resource: group,
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: { ...groupFilterParams, ...statisticsParam },
  run: (ctx, found, input) => Promise.resolve(filteredGroups(ctx, [onGroups('n.parent_id', '=', found.id)], input)),
});

/** List all groups below a group, at any depth. */
export const listDescendantGroups = operation({
  name: 'listDescendantGroups',
  summary: 'List descendant groups of a group',
  resource: group,
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: { ...groupFilterParams, ...statisticsParam },
  run(ctx, found, input) {
    const below = [isAtOrBelow('n', found.id), onGroups('n.id', '<>', found.id)];
    return Promise.resolve(filteredGroups(ctx, below, input));
  },
});
