import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { FLUSH, pktLine, PUSH_CAPABILITIES } from '../../git/index.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** Rows that are held at once: there may be a million. */
const PAGE = 5000;
const NO_OBJECT = '0'.repeat(40);

/** The ref advertisement for a push to a non-project repository: its only branch. */
export function advertisedBranch(found: { branch: string; head_sha?: string | null } | null, agent: string): Buffer[] {
  const capabilities = `\0${PUSH_CAPABILITIES} agent=${agent}`;
  const sha = found?.head_sha ?? null;
  const line = sha === null ? `${NO_OBJECT} capabilities^{}` : `${sha} refs/heads/${found!.branch}`;
  return [pktLine(`${line}${capabilities}\n`), FLUSH];
}

/**
 * The ref advertisement for a push to a project: its branches and tags, from the index, and the capabilities for
 * pushes.
 * @param agent the service's agent name, without spaces
 */
export async function* advertisedRefs(
  ctx: Context<Caller>,
  project: ProjectRecord,
  agent: string,
): AsyncGenerator<Buffer> {
  let capabilities = `\0${PUSH_CAPABILITIES} agent=${agent}`;
  let last = '';
  for (let more = true; more;) {
    const rows = await ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('repository_refs as r')
      .select(['r.full_name', 'r.object_sha'])
      .where('r.project_id', '=', project.id)
      .where('r.full_name', '>', last)
      .orderBy('r.full_name')
      .limit(constant(PAGE))
      .execute();
    const lines = rows.map(({ full_name: name, object_sha: sha }) => {
      const line = pktLine(`${sha} ${name}${capabilities}\n`);
      capabilities = '';
      return line;
    });
    if (lines.length > 0) yield Buffer.concat(lines);
    last = rows.at(-1)?.full_name ?? last;
    more = rows.length === PAGE;
  }
  if (capabilities !== '') yield pktLine(`${NO_OBJECT} capabilities^{}${capabilities}\n`);
  yield FLUSH;
}
