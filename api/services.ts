import { BasicAuthenticator } from '../shared/auth/basic-credentials/authenticate-basic.js';
import { findDeployTokenAlone } from '../shared/auth/deploy-tokens/find-deploy-token.js';
import { sudoCaller } from '../shared/auth/personal-access-tokens/sudo.js';
import { TokenAuthenticator } from '../shared/auth/personal-access-tokens/authenticate-token.js';
import { SessionAuthenticator } from '../shared/auth/user-sessions/authenticate-session.js';
import type { BasicReader, TokenSource } from '../shared/core/context/token-source.js';
import type { Services } from '../shared/core/context/context.js';
import type { OpenServices } from '../shared/core/context/open-services.js';
import { ChangeFeed } from '../shared/core/page-changes/change-feed.js';
import { DenialLog } from '../shared/instance/refused-requests/denial-log.js';
import { encodedPathHint } from '../shared/tenancy/containers/encoded-path-hint.js';
import { isPathVisible } from '../shared/tenancy/project-details/visible-path.js';
import { Lifecycle } from './core/server/lifecycle.js';
import type { ApiServices } from './core/services.js';
import type { Traffic } from './core/traffic.js';

/**
 * The services of the API process; its token authenticator flushes pending writes at shutdown.
 * @param sources the token tables of all domains
 * @param readers the lookups of all domains that find the owner of a user name and secret
 */
export function apiServices<S extends Services & Pick<OpenServices, 'channels'>>(
  services: S,
  traffic: Traffic,
  sources: readonly TokenSource[],
  readers: readonly BasicReader[] = [],
) {
  const tokens = new TokenAuthenticator(services, sources);
  const sessions = new SessionAuthenticator(services);
  const denials = new DenialLog(services);
  return {
    ...services,
    denials,
    traffic,
    lifecycle: new Lifecycle(),
    changes: new ChangeFeed(services),
    tokens,
    sessions,
    basic: new BasicAuthenticator(services, tokens, readers),
    deployTokens: { authenticate: (token) => findDeployTokenAlone(services, token) },
    actAs: (caller, who) => sudoCaller(services.db, caller, who),
    hintOfPath: encodedPathHint,
    knowsPath: isPathVisible,
  } satisfies ApiServices;
}
