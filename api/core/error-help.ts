import type { Context as KoaContext } from 'koa';
import { isPrincipal } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import type { Origin } from '../../shared/core/context/context.js';
import { CapstanError } from '../../shared/core/values/errors.js';
import { loadSender } from './credentials/authenticate.js';
import { readUrl } from './rest/bound-route.js';
import type { BoundRoute } from './rest/bound-route.js';
import { decodePercent } from './nested-params.js';
import { getOperationTag } from './openapi/operations.js';
import type { ApiServices } from './services.js';

/** Address of the operation's parameters in the API documentation; undefined if no operation was matched. */
function getDocumentation(koa: KoaContext, services: ApiServices): string | undefined {
  const route = koa.state.route as BoundRoute | undefined;
  if (!route) return undefined;
  const fragment = [getOperationTag(route), route.operation.name].map(encodeURIComponent).join('/');
  return `${services.config.externalUrl}/-/api-docs#/${fragment}`;
}

/** Adds help to the message that clients match (rest-conventions.md section 5): a superset of the public body. */
export function withHelp(koa: KoaContext, services: ApiServices, error: unknown, body: Record<string, unknown>) {
  if (!(error instanceof CapstanError) || error.hint === null) return body;
  const { requestId } = koa.state.origin as Origin;
  const help = { hint: error.hint, request_id: requestId };
  const documentation = getDocumentation(koa, services);
  return { ...body, ...help, ...(documentation === undefined ? {} : { documentation_url: documentation }) };
}

/**
 * Whether a URL that leads nowhere names a project or group by a path that is not encoded.
 * @param path below `/api/v4`
 */
export async function hintOfPath(services: ApiServices, koa: KoaContext, path: string): Promise<string | null> {
  const [, kind, rest] = /^\/+(projects|groups)\/(.+)$/.exec(path) ?? [];
  if (kind === undefined || rest === undefined) return null;
  try {
    const { caller } = await loadSender(services, koa, readUrl(koa, {}));
    if (isPrincipal(caller)) return null;
    const ctx = new Context(services, caller, koa.state.origin as Origin);
    return await services.hintOfPath(ctx, kind as 'projects' | 'groups', rest.split('/').map(decodePercent));
  } catch (error) {
    // The 404 matters more than the hint.
    if (error instanceof CapstanError) return null;
    throw error;
  }
}
