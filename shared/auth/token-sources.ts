import { oauthTokens } from './oauth/oauth-token-source.js';
import { accessTokens } from './personal-access-tokens/access-token-source.js';
import type { TokenSource } from './personal-access-tokens/token-source.js';

/** The one list of tables that callers are recognised by. */
export const tokenSources: readonly TokenSource[] = [accessTokens, oauthTokens];
