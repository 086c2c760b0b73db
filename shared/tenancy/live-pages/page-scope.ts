import type { Context } from '../../core/context.js';
import { BadParams, Forbidden } from '../../core/errors.js';
import type { UserOrAnonymous } from '../../core/callers.js';
import type { PageChangeKind } from '../../core/page-changes/page-changes.js';
import type { PageScope } from '../../core/page-changes/page-scope.js';
import { and, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { findGroup } from '../groups/group.finder.js';
import { membershipCondition } from '../project-lists/project-access-filters.js';
import { findProject } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.record.js';

/** Who may know that something of a kind changed. */
interface FollowedKind {
  /** In a project that the caller may read. */
  may(caller: UserOrAnonymous, project: ProjectRecord): boolean;
  /** The same as a condition on project `p`, for kinds that pages show across projects. */
  projects?(ctx: Context): Sql;
}

/** What pages follow, by kind. */
export type FollowedKinds = { readonly [K in PageChangeKind]?: FollowedKind };

declare module '../../core/domain.js' {
  interface Domain {
    /** What pages follow of this domain. */
    readonly followed?: FollowedKinds;
  }
}

/** What a page says that it shows: a project or a group by its full path, else all projects or the caller's own. */
export interface ShownPlace {
  project: string;
  group: string;
  membership: boolean;
}

const kindsIn = (followed: FollowedKinds) => Object.entries(followed) as [PageChangeKind, FollowedKind][];

/**
 * Of what a page is told when it changes: what its caller may see of the place that it shows.
 * @throws BadParams, NotFound for a place that the caller may not know of, Forbidden where nothing of it is for them
 */
export async function pageScope(ctx: Context, followed: FollowedKinds, place: ShownPlace): Promise<PageScope> {
  if (place.project !== '' && place.group !== '') throw new BadParams(['project, group are mutually exclusive']);
  if (place.project === '') return wideScope(ctx, followed, place);
  const project = await findProject(ctx, place.project);
  const kinds = new Set(kindsIn(followed).flatMap(([kind, { may }]) => (may(ctx.caller, project) ? [kind] : [])));
  if (kinds.size === 0) throw new Forbidden();
  return { project_id: project.id, kinds };
}

async function wideScope(ctx: Context, followed: FollowedKinds, { group, membership }: ShownPlace): Promise<PageScope> {
  const conditions: Sql[] = membership ? [membershipCondition(ctx)] : [];
  const found = group === '' ? null : await findGroup(ctx, group);
  if (found)
    conditions.push(sql`p.namespace_id = any(array(
      select d.id from namespaces d where d.traversal_ids @> array[${found.id}]::bigint[]))`);
  return {
    key: `${ctx.caller.id} ${found?.id ?? 'all'} ${membership}`,
    kinds: new Map(
      kindsIn(followed).flatMap(([kind, { projects }]) =>
        projects ? [[kind, and([projects(ctx), ...conditions])] as const] : [],
      ),
    ),
  };
}
