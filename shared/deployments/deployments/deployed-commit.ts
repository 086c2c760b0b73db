import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { isFullId, resolveCommit } from '../../git/index.js';
import { shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

interface Presence {
  /** A branch or tag of that name is there. */
  ref: boolean;
  /** It points at the commit: that is known without git. */
  sha: boolean;
}

async function findKnown(ctx: Context, found: ProjectRecord, ref: string, sha: string): Promise<Presence> {
  const names = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  return ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectNoFrom((eb) => {
      const refs = eb
        .selectFrom('repository_refs as r')
        .select(eb.lit(1).as('one'))
        .where('r.project_id', '=', found.id)
        .where('r.full_name', '=', anyOf(names, 'text'));
      return [
        eb.exists(refs).$castTo<boolean>().as('ref'),
        eb
          .exists(refs.where('r.target_sha', '=', sha))
          .$castTo<boolean>()
          .as('sha'),
      ];
    })
    .executeTakeFirstOrThrow();
}

async function isCommit(ctx: Context, found: ProjectRecord, sha: string): Promise<boolean> {
  if (!found.repository_created || !isFullId(sha)) return false;
  return (await resolveCommit(openRepository(ctx, found), sha)) === sha;
}

function blank(value: string, missing: string): string {
  return value.trim() === '' ? "can't be blank" : missing;
}

/**
 * The branch or tag and the commit that are deployed, as they are stored: the short name, and the full id. The head of
 * the branch or tag is known without git.
 * @throws Invalid where the index of refs has no such branch or tag, or the repository no such commit
 */
export async function requireDeployed(
  ctx: Context,
  found: ProjectRecord,
  input: { ref: string; sha: string },
): Promise<{ ref: string; sha: string }> {
  const sha = input.sha.toLowerCase();
  const presence = await findKnown(ctx, found, input.ref, sha);
  const problems: Problems = {};
  if (!presence.ref) problems.ref = [blank(input.ref, 'The branch or tag does not exist')];
  if (!presence.sha && !(await isCommit(ctx, found, sha))) problems.sha = [blank(sha, 'The commit does not exist')];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return { ref: shortRef(input.ref), sha };
}
