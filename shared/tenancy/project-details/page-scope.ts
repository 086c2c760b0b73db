import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom } from '../../core/database/expressions.js';
import { idsWithin } from '../namespaces/below.js';
import { onProjects } from '../projects/project.finder.js';
import { BadParams, Forbidden } from '../../core/values/errors.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { PageChangeKind, PageScope, WideScope } from '../../core/page-changes/page-changes.js';
import { findGroup } from '../groups/group.finder.js';
import type { GroupRecord } from '../groups/group.entity.js';
import { membershipCondition } from './project-access-filters.js';
import { findProject } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.entity.js';

/** Permission check for receiving changes of a kind. */
interface LiveKind {
  /** In a project that the caller may read; not there for kinds of groups. */
  may?(caller: UserOrAnonymous, project: ProjectRecord): boolean;
  /** The same as a condition on project `p`, for kinds that pages show across projects. */
  projects?(ctx: Context): Expression<SqlBool>;
  /** Of a kind that changes in groups themselves: in a group that the caller may read. */
  group?(caller: UserOrAnonymous, group: GroupRecord): boolean;
}

/** What pages follow, by kind. */
export type LiveKinds = { readonly [K in PageChangeKind]?: LiveKind };

declare module '../../core/domain.js' {
  interface Domain {
    /** What pages follow of this domain. */
    readonly liveKinds?: LiveKinds;
  }
}

/**
 * The scope that a page declares: a project or a group by its full path, otherwise all projects or the caller's own.
 */
export interface PageScopeInput {
  project: string;
  group: string;
  membership: boolean;
  /** Kinds that the page shows, between commas; empty for all. What this service does not know is left out. */
  kinds: string;
}

/** The kinds that a page requests out of all live kinds. */
function kindsIn(liveKinds: LiveKinds, { kinds }: PageScopeInput): [PageChangeKind, LiveKind][] {
  const requestedKinds = new Set(kinds.split(',').filter(Boolean));
  const all = Object.entries(liveKinds) as [PageChangeKind, LiveKind][];
  return requestedKinds.size === 0 ? all : all.filter(([kind]) => requestedKinds.has(kind));
}

/**
 * The changes that a page is notified of: those visible to its caller within the displayed container.
 * @throws BadParams, NotFound for a container hidden from the caller, Forbidden if the caller may read none of its
 * kinds
 */
export async function pageScope(ctx: Context, liveKinds: LiveKinds, input: PageScopeInput): Promise<PageScope> {
  if (input.project !== '' && input.group !== '') throw new BadParams(['project, group are mutually exclusive']);
  if (input.project === '') return wideScope(ctx, liveKinds, input);
  const project = await findProject(ctx, input.project);
  const kinds = new Set(
    kindsIn(liveKinds, input).flatMap(([kind, { may }]) => (may?.(ctx.caller, project) ? [kind] : [])),
  );
  if (kinds.size === 0) throw new Forbidden();
  return { project_id: project.id, kinds };
}

async function wideScope(ctx: Context, liveKinds: LiveKinds, input: PageScopeInput): Promise<WideScope> {
  const { group, membership } = input;
  const conditions: Expression<SqlBool>[] = membership ? [membershipCondition(ctx)] : [];
  const found = group === '' ? null : await findGroup(ctx, group);
  if (found) conditions.push(onProjects('p.namespace_id', '=', anyIn(arrayFrom(idsWithin(found.id)))));
  const rules = kindsIn(liveKinds, input);
  const wide = rules.flatMap(([kind, { projects }]) =>
    projects ? [[kind, onProjects.and([projects(ctx), ...conditions])] as const] : [],
  );
  const near = found ? rules.flatMap(([kind, rule]) => (rule.group?.(ctx.caller, found) ? [kind] : [])) : [];
  return {
    key: `${ctx.caller.id} ${found?.id ?? 'all'} ${membership} ${wide.map(([kind]) => kind).join()}`,
    kinds: new Map(wide),
    ...(found ? { group: { id: found.id, kinds: new Set(near) } } : {}),
  };
}
