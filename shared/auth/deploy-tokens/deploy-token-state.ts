import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Settings } from '../../core/values/settings.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { AuthDatabase } from '../auth.entities.js';
import type { DeployToken } from './deploy-token.entity.js';

/**
 * The username for a token: the configured one, or `<prefix>+deploy-token-<id>` by the current setting
 * (deploy-tokens.md section 2).
 */
export const getUsername = ({ id, username }: Pick<DeployToken, 'id' | 'username'>, settings: Settings): string =>
  username ?? `${settings.deploy_token_username_prefix}+deploy-token-${id}`;

/** Whether a token is over: from the very instant on that it names (deploy-tokens.md section 4.5). */
export const isExpired = ({ expires_at }: { expires_at?: Date | null }, now: Date): boolean =>
  expires_at instanceof Date && expires_at <= now;

/** Deploy tokens `t`, as conditions name them. */
export type OfDeployTokens = Aliased<AuthDatabase, { t: 'deploy_tokens' }>;

/** Builds conditions on deploy tokens `t`. */
export const onDeployTokens = expressionBuilder<OfDeployTokens, 't'>();

/** Tokens that work, as a condition on `t`: neither revoked nor expired. */
export const activeTokens = (now: Date): Expression<SqlBool> =>
  onDeployTokens.and([
    onDeployTokens('t.revoked', '=', constant(false)),
    onDeployTokens.or([onDeployTokens('t.expires_at', 'is', null), onDeployTokens('t.expires_at', '>', now)]),
  ]);
