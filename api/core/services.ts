import type { Services } from '../../shared/core/context.js';
import type { TokenAuthenticator } from '../../shared/auth/personal-access-tokens/authenticate-token.js';
import type { SessionAuthenticator } from '../../shared/auth/user-sessions/authenticate-session.js';
import type { Traffic } from './traffic.js';

/** What the API process lives on, beyond what every process has. */
export interface ApiServices extends Services {
  tokens: TokenAuthenticator;
  sessions: SessionAuthenticator;
  traffic: Traffic;
}
