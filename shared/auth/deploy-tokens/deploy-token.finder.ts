import { containerColumn } from '../../core/container.js';
import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { DeployToken } from './deploy-token.entity.js';
import type { DeployTokenRecord } from './deploy-token.record.js';

/** The digest stays in the database. */
const SHOWN = Object.keys(DeployToken.meta.properties).filter((name) => name !== 'digest');
const selected: Fragment = sql`${textColumns(DeployToken, 't', '', SHOWN)}, ${userSummaryColumns('c', 'created_by.')}`;
const tables: Fragment = sql`deploy_tokens t left join users c on c.id = t.created_by_id`;

/** Tokens of this very container, none of those above or below, as a condition on `t`. */
export const tokensOf = ({ kind, id }: ContainerRef): Fragment => sql`t.${containerColumn(kind)} = ${id}`;

/** The tokens that conditions on `t` name, the oldest first (deploy-tokens.md section 4.2). */
export function deployTokens(where: readonly Fragment[]): TextList<DeployTokenRecord> {
  return { select: selected, from: tables, matching: sql`deploy_tokens t`, where, order: [byId('t', 'asc')] };
}

/** A token of a project or group by its id. @throws NotFound "404 Not found", also for one of another container */
export async function findDeployTokenOf(ctx: Context, container: ContainerRef, id: number): Promise<DeployTokenRecord> {
  const token = await ctx.queryOne<DeployTokenRecord>(sql`
    select ${selected} from ${tables} where t.id = ${id} and ${tokensOf(container)}`);
  if (!token) throw new NotFound();
  return token;
}
