import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { Forbidden } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import { admits, inForce } from '../protected-refs/ref-rights.js';

/** Where a rule names who may change it or take it away, a Maintainer's role alone does not do. @throws Forbidden */
export async function requireUnprotect(ctx: Context, project: ProjectRecord, branch: { id: number }): Promise<void> {
  const row = await ctx.queryOne<{ admitted: boolean | null }>(sql`
    select bool_or(${admits(ctx)}) as admitted
      from protected_branch_access_levels l,
           (select ${ctx.caller.id}::bigint as user_id, ${ctx.caller.admin}::bool as admin,
                   ${project.access}::int as access, null::bigint as deploy_key_id) q
     where l.protected_branch_id = ${branch.id} and l.action = 'unprotect' and ${inForce(ctx)}`);
  // Null: the rule names nobody, so the role suffices.
  if (row?.admitted === false) throw new Forbidden();
}
