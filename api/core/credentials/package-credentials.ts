import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Origin } from '../../../shared/core/context/context.js';
import type { RequestParameters } from '../nested-params.js';
import type { ApiServices } from '../services.js';
import { authenticate } from './authenticate.js';
import { ownerOfBasic } from './basic-credentials.js';
import { guardTokenGuesses } from './token-guesses.js';

/**
 * Authenticates requests for packages: by `Deploy-Token`, by `Authorization: Basic`, or as everywhere in the API,
 * whichever is present first.
 * @throws what {@link authenticate} and {@link ownerOfBasic} throw
 */
export async function authenticatePackages(
  services: ApiServices,
  koa: KoaContext,
  parameters: RequestParameters,
): Promise<Caller> {
  const token = koa.get('deploy-token').trim();
  if (token !== '') {
    const origin = koa.state.origin as Origin;
    const caller = await guardTokenGuesses(services, origin, token, () => services.deployTokens.authenticate(token));
    services.traffic.answerFor(koa, caller);
    return caller;
  }
  if (/^Basic\b/i.test(koa.get('authorization'))) return ownerOfBasic(services, koa);
  return authenticate(services, koa, parameters);
}
