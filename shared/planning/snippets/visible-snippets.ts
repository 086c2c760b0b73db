import type { Context } from '../../core/context.js';
import { and, or, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import { visibleProjectsCondition } from '../../tenancy/projects/project.finder.js';
import { projectSnippetPolicy } from './snippet.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { roleIn } from '../../core/policy.js';
import { featureOpenSql } from '../planning-rights/planning-rights.js';

/** Snippets `s` by their own visibility and author, for who is no member of their project. */
function shownToAll({ caller }: Context): Fragment {
  if (caller.anonymous) return sql`s.visibility = 'public'`;
  const own = sql`s.author_id = ${caller.id}`;
  return or([caller.user?.external ? sql`s.visibility = 'public'` : sql`s.visibility in ('public', 'internal')`, own]);
}

/**
 * Snippets `s`, with their project `p` where they have one, that the caller may read: the same rule as `read_snippet`,
 * as a condition.
 */
export function visibleSnippets(ctx: Context): Fragment {
  const { caller } = ctx;
  const inProject = and([
    sql`p.id is not null`,
    visibleProjectsCondition(ctx),
    featureOpenSql(ctx, 'snippets_access_level'),
  ]);
  if (caller.admin) return or([sql`s.project_id is null`, inProject]);
  const shown = shownToAll(ctx);
  if (caller.anonymous) return and([shown, or([sql`s.project_id is null`, inProject])]);
  const member = memberOfProject(caller.id, today(ctx));
  return or([and([sql`s.project_id is null`, shown]), and([inProject, or([shown, member])])]);
}

/** The same for the snippets `s` of one project, whose snippets the caller may read in general. */
export function visibleSnippetsOf(ctx: Context, found: ProjectRecord): Fragment {
  const own = sql`s.project_id = ${found.id}`;
  if (!projectSnippetPolicy.read_snippets(ctx.caller, found)) return sql`false`;
  return roleIn(ctx.caller, found, 'guest') ? own : and([own, shownToAll(ctx)]);
}
