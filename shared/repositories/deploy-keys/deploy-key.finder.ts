import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import { DeployKey } from './deploy-key.entity.js';

/** A key as a project has it. */
export interface ProjectDeployKey extends DeployKey {
  can_push: boolean;
  /** When the project got it, or what it may do there was last changed. */
  linked_at: Date;
}

const selected: Fragment = sql`${textColumns(DeployKey, 'k')}, d.can_push as "can_push", d.updated_at as "linked_at"`;
const tables: Fragment = sql`deploy_keys_projects d join deploy_keys k on k.id = d.deploy_key_id`;

/** All keys of the instance, the oldest first. */
export function deployKeys(where: readonly Fragment[] = []): TextList<DeployKey> {
  return { select: textColumns(DeployKey, 'k'), from: sql`deploy_keys k`, where, order: [byId('k', 'asc')] };
}

/** The keys of a project, the oldest first. */
export function deployKeysOf(project: { id: number }): TextList<ProjectDeployKey> {
  return { select: selected, from: tables, where: [sql`d.project_id = ${project.id}`], order: [byId('k', 'asc')] };
}

/** A key of a project; for a write its link is locked. @returns null where the project has no such key */
export function lookUpDeployKey(ctx: Context, project: { id: number }, id: number): Promise<ProjectDeployKey | null> {
  return ctx.queryOne<ProjectDeployKey>(sql`
    select ${selected} from ${tables} where d.project_id = ${project.id} and d.deploy_key_id = ${id}
    ${ctx.inTransaction ? sql`for no key update of d` : sql``}`);
}

/** The same. @throws NotFound "404 Not found" */
export async function findDeployKey(ctx: Context, project: { id: number }, id: number): Promise<ProjectDeployKey> {
  const key = await lookUpDeployKey(ctx, project, id);
  if (!key) throw new NotFound();
  return key;
}

/** A key, and whether the caller may have it in another project, as long as the transaction lasts. */
export type KnownDeployKey = DeployKey & { accessible: boolean };

/**
 * The key that a condition on `k` names, kept from going. Administrators may have any in another project; everybody
 * else a public one, or what a project has that they are a member of.
 */
export function knownDeployKey(ctx: Context, condition: Fragment): Promise<KnownDeployKey | null> {
  const { caller } = ctx;
  const within = caller.admin
    ? sql`true`
    : sql`(k.public or exists (
        select 1 from deploy_keys_projects d join projects p on p.id = d.project_id
         where d.deploy_key_id = k.id and p.removal_started_at is null and ${memberOfProject(caller.id, today(ctx))}))`;
  return ctx.queryOne<KnownDeployKey>(sql`
    select ${textColumns(DeployKey, 'k')}, ${within} as "accessible" from deploy_keys k
     where ${condition} for key share of k`);
}
