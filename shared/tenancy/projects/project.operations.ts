import { flag, maybe } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { askAttributesOf, withAttributesParam } from '../custom-attributes/custom-attribute.filters.js';
import type { Context } from '../../core/context.js';
import type { Subject } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import { readDetails } from './project-details.js';
import { project, projectIdSql } from './project.finder.js';
import type { ProjectRecord } from './project.finder.js';

/** The project together with what its full record needs, by one round trip; whoever may not see it gets neither. */
async function findInFull(ctx: Context, input: Record<string, unknown>): Promise<ProjectRecord> {
  if (ctx.caller.anonymous) return project.find(ctx, input);
  const [found, [details]] = await Promise.all([
    project.find(ctx, input),
    readDetails(ctx, sql`array[${projectIdSql(String(input.id))}]`, true),
  ]);
  return details?.id === found.id ? { ...found, details } : found;
}

const projectInFull: Subject<ProjectRecord> = { ...project, find: findInFull };

/** Read one project: anybody who may see it, also without signing in when it is public. */
export const getProject = operation({
  name: 'getProject',
  summary: 'Read a project',
  subject: projectInFull,
  gate: 'open',
  limit: 'project_read',
  kind: 'read',
  statements: 8,
  params: {
    license: maybe(flag()).describe('With the licence.'),
    statistics: maybe(flag()).describe('With statistics. Reporters and above.'),
    ...withAttributesParam,
  },
  run: (ctx, found, { license, statistics, with_custom_attributes: attributes }) => {
    const wishes = { single: true, license: license === true, statistics: statistics === true };
    return Promise.resolve(askAttributesOf(ctx, { ...found, wishes }, attributes));
  },
});
