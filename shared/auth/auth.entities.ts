import type { TablesOf } from '../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy/tenancy.entities.js';
import { StoredCredentials } from './administration/initial-credentials.entity.js';
import { DeployToken } from './deploy-tokens/deploy-token.entity.js';
import { OauthApplication } from './oauth/oauth-application.entity.js';
import { OauthAccessToken, OauthGrant, OauthRecord } from './oauth/oauth-grant.entity.js';
import { PersonalAccessToken } from './personal-access-tokens/personal-access-token.entity.js';
import { UserSession } from './user-sessions/user-session.entity.js';

/** The tables of this domain. */
export const authEntities = [
  DeployToken,
  StoredCredentials,
  OauthAccessToken,
  OauthApplication,
  OauthGrant,
  OauthRecord,
  PersonalAccessToken,
  UserSession,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface AuthDatabase extends TenancyDatabase, TablesOf<(typeof authEntities)[number]> {}
