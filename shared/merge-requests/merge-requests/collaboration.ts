import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import { setCollaborationSource } from '../../repositories/repositories/collaboration.js';
import { rightsOnRefs } from '../../repositories/repositories/ref-rules.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { mayMerge } from './merge-rights.js';

/** Merge requests of one fork that are looked at. */
const MOST_REQUESTS = 20;

interface Offer {
  project_id: number;
  target_branch: string;
  source_branch: string;
}

/** What a fork offers to others: open merge requests that allow it. Neither project is private, as in the public product. */
const offersOf = (ctx: Context, { id, visibility }: ProjectRecord): Promise<Offer[]> =>
  visibility === 'private'
    ? Promise.resolve([])
    : ctx.query<Offer>(sql`
        select i.project_id as "project_id", i.target_branch as "target_branch", i.source_branch as "source_branch"
          from merge_requests i join projects p on p.id = i.project_id
         where i.source_project_id = ${id} and i.project_id <> ${id} and i.state = 'opened' and i.allow_collaboration
           and p.visibility <> 'private'
         order by i.id desc limit ${MOST_REQUESTS}`);

async function mayMergeThere(ctx: Context, { project_id: id, target_branch }: Offer): Promise<boolean> {
  try {
    return await mayMerge(ctx, { project: await findProject(ctx, id), target_branch });
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/**
 * The branches of a fork to which the caller may push since they may merge what comes from there: those of open merge
 * requests with `allow_collaboration`, unless they are protected.
 */
async function offeredBranches(ctx: Context, fork: ProjectRecord): Promise<Set<string>> {
  const open = new Set<string>();
  if (ctx.caller.anonymous || !projectPolicy.read_code(ctx.caller, fork)) return open;
  for (const offer of await offersOf(ctx, fork))
    if (!open.has(offer.source_branch) && (await mayMergeThere(ctx, offer))) open.add(offer.source_branch);
  const names = [...open];
  const rights = await rightsOnRefs(
    ctx,
    fork,
    names.map((name) => `refs/heads/${name}`),
  );
  return new Set(names.filter((_name, index) => rights[index]?.protected === false));
}

/** Lets those push to branches of forks who may merge them. Called where the domain's registry is made. */
export const letMergersPush = (): void => setCollaborationSource(offeredBranches);
