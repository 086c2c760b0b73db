import type { Context as KoaContext, Middleware } from 'koa';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import type { Domain } from '../../../shared/core/domain.js';
import { BadParams, Unauthenticated } from '../../../shared/core/values/errors.js';
import { pageScope } from '../../../shared/tenancy/project-details/page-scope.js';
import type { LiveKinds } from '../../../shared/tenancy/project-details/page-scope.js';
import { ownerOfSession } from '../../core/credentials/session-cookie.js';
import { sendEvents } from '../../core/send-events.js';
import type { ApiServices } from '../../core/services.js';
import { textParam, webMiddleware, webQuery } from '../../core/web-routes.js';

/** The id of an event: milliseconds. */
const EVENT_ID = /^\d{1,15}$/;

/** `since` as the page received it with its last event; null before its first event. @throws BadParams */
function getSince(text: string): number | null {
  if (text === '') return null;
  if (!EVENT_ID.test(text)) throw new BadParams(['since is invalid']);
  return Number(text);
}

/**
 * `GET /-/events?project=…`, or `group`, or neither with `membership`: an event stream for the page of a signed-in
 * user; `kinds` are the kinds of changes that it displays. The data of each event is the list of changed kinds; `["*"]`
 * means any, `[]` none, and `null` that changes are currently not received. `since` is the id of the previous event.
 */
async function handleEvents(koa: KoaContext, services: ApiServices, liveKinds: LiveKinds): Promise<void> {
  const caller = await ownerOfSession(services, koa);
  if (!caller.user) throw new Unauthenticated();
  const query = webQuery(koa);
  const ctx = new Context(services, caller, koa.state.origin as Origin);
  const since = getSince(textParam(query, 'since'));
  const scope = await pageScope(ctx, liveKinds, {
    project: textParam(query, 'project'),
    group: textParam(query, 'group'),
    membership: textParam(query, 'membership') === 'true',
    kinds: textParam(query, 'kinds'),
  });
  await sendEvents(koa, (listener) => services.changes.join(ctx, scope, since, listener));
}

/** Serves the event stream of pages (decisions/0082-live-pages.md). */
export function livePagesMiddleware(services: ApiServices, domains: readonly Domain[]): Middleware {
  const liveKinds: LiveKinds = Object.assign({}, ...domains.map((domain) => domain.liveKinds));
  return webMiddleware(services, [
    { methods: ['GET'], path: '/-/events', handle: (koa) => handleEvents(koa, services, liveKinds) },
  ]);
}
