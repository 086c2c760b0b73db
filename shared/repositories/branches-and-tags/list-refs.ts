import type { Expression, SqlBool } from 'kysely';
import { expression } from '../../core/expressions/expressions.js';
import { optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { likeLiteral } from '../../core/database/expressions.js';
import { onRefs } from '../repositories/ref-records.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { matchingBranches } from './match-refs.js';
import { matchingPages, refPages } from './ref-pages.js';

/** `^x` names that begin with x, `x$` that end in it, else that contain it. */
function searchCondition(search: string): Expression<SqlBool> {
  const starts = search.startsWith('^');
  const ends = search.endsWith('$');
  const term = likeLiteral(search.slice(starts ? 1 : 0, ends ? -1 : undefined));
  return onRefs('r.name', 'ilike', `${starts ? '' : '%'}${term}${ends ? '' : '%'}`);
}

const page_token = optional(text()).describe('Name that the page starts after, with `pagination=keyset`.');

const search = optional(text()).describe(
  'Part of the name; `^x` for names that begin with `x`, `x$` for names that end with `x`.',
);

const lists = {
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 8,
} as const;

/** List branches by name, or by the date of their heads. */
export const listBranches = operation({
  name: 'listBranches',
  summary: "List a project's branches",
  ...lists,
  params: {
    search,
    regex: optional(expression()).describe(
      'Returns branches whose names match this regular expression, in the syntax of RE2.',
    ),
    sort: withDefault(oneOf(['name_asc', 'updated_asc', 'updated_desc']), 'name_asc').describe(
      'Sort order of the branches.',
    ),
    page_token,
  },
  async run(ctx, found, input) {
    const where = input.search === undefined ? [] : [searchCondition(input.search)];
    const { regex, sort, page_token: pageToken } = input;
    const [order, direction] = sort.split('_') as ['name' | 'updated', 'asc' | 'desc'];
    const options = { order, direction, pageToken };
    if (regex === undefined) return refPages(ctx, found, 'branch', where, options);
    return matchingPages(ctx, found, await matchingBranches(ctx, found, where, regex, pageToken), options);
  },
});

/** List tags, newest first by default. */
export const listTags = operation({
  name: 'listTags',
  summary: "List a project's tags",
  ...lists,
  params: {
    search,
    order_by: withDefault(oneOf(['updated', 'name', 'version']), 'updated').describe('Field to sort the tags by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the sort order.'),
    page_token,
  },
  run(ctx, found, { search, order_by: order, sort: direction, page_token: pageToken }) {
    const where = search === undefined ? [] : [searchCondition(search)];
    return refPages(ctx, found, 'tag', where, { order, direction, pageToken });
  },
});
