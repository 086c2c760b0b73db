import type { Context as KoaContext, Middleware } from 'koa';
import type { z } from 'zod';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { admit, invoke, invokeAdmitted } from '../../../shared/core/operations/invoke.js';
import type { Operation } from '../../../shared/core/operations/operation.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import {
  authorizedApplicationSerializer,
  listAuthorizedApplications,
  revokeAuthorizedApplication,
} from '../../../shared/auth/oauth/authorized-application.operations.js';
import {
  applicationWithSecret,
  ownApplicationSerializer,
} from '../../../shared/auth/oauth/oauth-application.serializer.js';
import {
  createOwnApplication,
  deleteOwnApplication,
  listOwnApplications,
  renewOwnApplicationSecret,
} from '../../../shared/auth/oauth/own-application.operations.js';
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
} from '../../../shared/auth/user-sessions/own-session.operations.js';
import { ownSessionSerializer } from '../../../shared/auth/user-sessions/session.serializer.js';
import { sendJson, sendNothing } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import { BAD_CSRF_TOKEN, hasCsrfToken, ownerOfSession } from '../../core/credentials/session-cookie.js';
import { BadCsrfToken, webMiddleware, webParams } from '../../core/web-routes.js';
import type { WebRoute } from '../../core/web-routes.js';

const OWN_APPLICATIONS = '/-/session/own_applications';

const getContext = async (services: ApiServices, koa: KoaContext): Promise<Context> =>
  new Context(services, await ownerOfSession(services, koa), koa.state.origin as Origin);

/** A list without parameters, short enough for one answer. */
const listed = <P extends z.ZodRawShape, T>(
  path: string,
  list: Operation<null, P, T[]>,
  serializer: Serializer<T>,
): WebRoute => ({
  methods: ['GET'],
  path,
  async handle(koa, services) {
    const ctx = await getContext(services, koa);
    const records = await invoke(ctx, list, {});
    sendJson(
      koa,
      200,
      records.map((record) => serializer.present(record, ctx)),
    );
  },
});

/** What ends something that the path names. */
const deletionRoute = <P extends z.ZodRawShape>(path: string | RegExp, end: Operation<null, P, void>): WebRoute => ({
  methods: ['DELETE'],
  path,
  async handle(koa, services, params) {
    const ctx = await getContext(services, koa);
    if (ctx.caller.session && !hasCsrfToken(services, koa)) throw new BadCsrfToken(BAD_CSRF_TOKEN);
    await invoke(ctx, end, params);
    sendNothing(koa);
  },
});

/** A route that creates a resource from the body or the path parameters. */
const createRoute = <P extends z.ZodRawShape, T>(
  path: string | RegExp,
  make: Operation<null, P, T>,
  serializer: Serializer<T>,
): WebRoute => ({
  methods: ['POST'],
  path,
  async handle(koa, services, params) {
    const ctx = await getContext(services, koa);
    if (ctx.caller.session && !hasCsrfToken(services, koa)) throw new BadCsrfToken(BAD_CSRF_TOKEN);
    const admission = admit(ctx, make);
    const sent = await webParams(koa, services, ctx.caller);
    const { result } = await invokeAdmitted(admission, { ...sent, ...params });
    sendJson(koa, 201, serializer.present(result, ctx));
  },
});

/** decisions/0012-sessions.md */
const ROUTES: readonly WebRoute[] = [
  listed('/-/session/sessions', listOwnSessions, ownSessionSerializer),
  deletionRoute('/-/session/sessions', endOtherSessions),
  deletionRoute(/^\/-\/session\/sessions\/(?<session_id>[^/]+)$/, endOwnSession),
  listed('/-/session/applications', listAuthorizedApplications, authorizedApplicationSerializer),
  listed(OWN_APPLICATIONS, listOwnApplications, ownApplicationSerializer),
  createRoute(OWN_APPLICATIONS, createOwnApplication, applicationWithSecret),
  createRoute(
    /^\/-\/session\/own_applications\/(?<application_id>[^/]+)\/renew_secret$/,
    renewOwnApplicationSecret,
    applicationWithSecret,
  ),
  deletionRoute(/^\/-\/session\/own_applications\/(?<application_id>[^/]+)$/, deleteOwnApplication),
  deletionRoute(/^\/-\/session\/applications\/(?<application_id>[^/]+)$/, revokeAuthorizedApplication),
];

/**
 * Lets users view and revoke their own access: sessions, authorized applications and their own applications. Tokens may
 * not use these routes.
 */
export const ownAccessMiddleware = (services: ApiServices): Middleware => webMiddleware(services, ROUTES);
