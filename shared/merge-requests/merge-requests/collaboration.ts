import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { setCollaborationSource } from '../../repositories/repositories/collaboration.js';
import { rightsOnRefs } from '../../repositories/repositories/ref-rules.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { mayMergeInto } from './merge-rights.js';

/** Maximum number of merge requests of a fork to check. */
const MOST_REQUESTS = 20;

interface Offer {
  project_id: number;
  target_branch: string;
  source_branch: string;
}

/** Open merge requests of a fork that allow collaboration. Neither project is private, as in the public product. */
const getOffers = (ctx: Context, { id, visibility }: ProjectRecord): Promise<Offer[]> =>
  visibility === 'private'
    ? Promise.resolve([])
    : ctx.em
        .getKysely<MergeRequestsDatabase>()
        .selectFrom('merge_requests as i')
        .innerJoin('projects as p', 'p.id', 'i.project_id')
        .select(['i.project_id', 'i.target_branch', 'i.source_branch'])
        .where('i.source_project_id', '=', id)
        .where('i.project_id', '<>', id)
        .where('i.state', '=', constant('opened'))
        .where((eb) => eb.ref('i.allow_collaboration'))
        .where('p.visibility', '<>', constant('private'))
        .orderBy('i.id', 'desc')
        .limit(MOST_REQUESTS)
        .execute();

/** The branches that the caller may merge into their project, by one look at each project and one at its rules. */
async function getMergeable(ctx: Context, offers: readonly Offer[]): Promise<Offer[]> {
  const mergeable: Offer[] = [];
  for (const id of new Set(offers.map(({ project_id: projectId }) => projectId))) {
    const project = await findVisibleProject(ctx, id);
    if (project === null) continue;
    const into = offers.filter(({ project_id: projectId }) => projectId === id);
    const may = await mayMergeInto(
      ctx,
      project,
      into.map(({ target_branch: branch }) => branch),
    );
    mergeable.push(...into.filter((_offer, index) => may[index]));
  }
  return mergeable;
}

/**
 * The branches of a fork that the caller can push to because they can merge them: those of open merge requests with
 * `allow_collaboration`, unless they are protected.
 */
async function offeredBranches(ctx: Context, fork: ProjectRecord): Promise<Set<string>> {
  if (ctx.caller.anonymous || !projectPolicy.read_code(ctx.caller, fork)) return new Set();
  const mergeable = await getMergeable(ctx, await getOffers(ctx, fork));
  const names = [...new Set(mergeable.map(({ source_branch: name }) => name))];
  if (names.length === 0) return new Set();
  const rights = await rightsOnRefs(
    ctx,
    fork,
    names.map((name) => `refs/heads/${name}`),
  );
  return new Set(names.filter((_name, index) => rights[index]?.protected === false));
}

/** Allows users to push to branches of forks that they can merge. Called when the domain's registry is created. */
export const letMergersPush = (): void => setCollaborationSource(offeredBranches);
