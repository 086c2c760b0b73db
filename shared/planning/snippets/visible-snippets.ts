import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { roleIn } from '../../core/operations/policy.js';
import { memberOfProject } from '../../tenancy/namespaces/access.js';
import { forCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { isVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { isFeatureOpen } from '../../tenancy/containers/planning-rights.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { projectSnippetPolicy } from './snippet.policy.js';

/** Snippets `s` and their projects `p`, as conditions name them. */
export type OfSnippets = Aliased<PlanningDatabase, { s: 'snippets'; p: 'projects' }>;

/** Builds conditions on snippets `s` and their projects `p`. */
export const onSnippets = expressionBuilder<OfSnippets, 's' | 'p'>();

/** Snippets `s` visible by their own visibility and author, for viewers who are not members of the project. */
function hasOpenVisibility({ anonymous, external, userId }: Viewer): Expression<SqlBool> {
  const isPublic = onSnippets('s.visibility', '=', constant('public'));
  if (anonymous) return isPublic;
  const open = external ? isPublic : onSnippets('s.visibility', 'in', [constant('public'), constant('internal')]);
  return onSnippets.or([open, onSnippets('s.author_id', '=', userId)]);
}

function isVisible(viewer: Viewer): Expression<SqlBool> {
  const isPersonal = onSnippets('s.project_id', 'is', null);
  const inProject = onSnippets.and([
    onSnippets('p.id', 'is not', null),
    isVisibleProject(viewer),
    isFeatureOpen(viewer, 'snippets_access_level'),
  ]);
  if (viewer.admin) return onSnippets.or([isPersonal, inProject]);
  const isOpen = hasOpenVisibility(viewer);
  if (viewer.anonymous) return onSnippets.and([isOpen, onSnippets.or([isPersonal, inProject])]);
  const member = memberOfProject(viewer.userId, viewer.day);
  return onSnippets.or([
    onSnippets.and([isPersonal, isOpen]),
    onSnippets.and([inProject, onSnippets.or([isOpen, member])]),
  ]);
}

/**
 * Snippets `s`, with their project `p` where they have one, that the caller may read: the same rule as `read_snippet`,
 * as a condition.
 */
export const visibleSnippets = forCaller(isVisible);

const visibleToAll = forCaller(hasOpenVisibility);

/** The same for the snippets `s` of one project, according to the caller's general access to its snippets. */
export function visibleSnippetsOf(ctx: Context, found: ProjectRecord): Expression<SqlBool> {
  const own = onSnippets('s.project_id', '=', found.id);
  if (!projectSnippetPolicy.read_snippets(ctx.caller, found)) return constant(false);
  return roleIn(ctx.caller, found, 'guest') ? own : onSnippets.and([own, visibleToAll(ctx)]);
}
