import type { SignedInContext } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { addPushMessages } from '../../repositories/git-http/push-messages.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

/** Maximum number of branches of a push to report. */
const MOST_BRANCHES = 10;

/** Merge requests of all of them. */
const MOST_REQUESTS = 50;

interface Row {
  readonly source_branch: string;
  readonly iid: number;
  readonly full_path: string;
}

/** Whether the project has both the links and the merge requests feature enabled. */
async function showsLinks(ctx: SignedInContext, { id, merge_requests_access_level: level }: ProjectRecord) {
  if (level === 'disabled') return false;
  const found = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('project_settings as s')
    .select('s.printing_merge_request_link_enabled as enabled')
    .where('s.project_id', '=', id)
    .executeTakeFirst();
  return found?.enabled === true;
}

/** Open merge requests from branches, which the caller sees. */
const openFrom = (ctx: SignedInContext, projectId: number, branches: readonly string[]): Promise<Row[]> =>
  ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select(['i.source_branch', 'i.iid', 'r.path as full_path'])
    .where('i.source_project_id', '=', projectId)
    .where('i.source_branch', '=', anyOf(branches, 'text'))
    .where('i.state', '=', constant('opened'))
    .where(visibleMergeRequests(ctx))
    .orderBy('i.id')
    .limit(MOST_REQUESTS)
    .execute();

async function linesFor(ctx: SignedInContext, project: ProjectRecord, pushed: readonly string[]) {
  const names = pushed.filter((name) => name !== project.default_branch || project.forked_from_id);
  const branches = names.slice(0, MOST_BRANCHES);
  if (branches.length === 0 || !(await showsLinks(ctx, project))) return [];
  const open = Map.groupBy(await openFrom(ctx, project.id, branches), ({ source_branch: branch }) => branch);
  const base = `${ctx.config.externalUrl}/`;
  const lines = branches.flatMap((branch) => {
    const found = open.get(branch) ?? [];
    const create = `${base}${project.full_path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`;
    if (found.length === 0) return ['', `To create a merge request for ${branch}, visit:`, `  ${create}`];
    const urls = found.map(({ full_path: path, iid }) => `  ${base}${path}/-/merge_requests/${iid}`);
    return ['', `View merge request for ${branch}:`, ...urls];
  });
  return [...lines, ''];
}

/** Has pushes answered with where their merge requests are, or where one is made. Called where the domain's registry is made. */
export function addMergeRequestLinksToPushes(): void {
  addPushMessages(linesFor);
}
