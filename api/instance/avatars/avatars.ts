import { hash } from 'node:crypto';
import type { Context as KoaContext, Middleware } from 'koa';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { readAvatar } from '../../../shared/instance/avatars/avatar-files.js';
import type { AvatarOwner } from '../../../shared/instance/avatars/avatar-files.js';
import { identicon } from '../../../shared/instance/avatars/identicon.js';
import { matches } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';

const IDENTICON = /^\/-\/identicons\/users\/(\d{1,15})\.svg$/;
const PATH = /^\/uploads\/-\/system\/(user|group|project|topic)\/avatar\/(\d{1,15})\/([0-9a-f]{32}\.[a-z]{3,4})$/;

/** A name is never reused for another image, so it may be cached without revalidation. */
const KEEP = 'private, max-age=604800, immutable';

async function serve(koa: KoaContext, services: ApiServices, owner: AvatarOwner, name: string): Promise<boolean> {
  const ctx = new Context(services, ANONYMOUS, koa.state.origin as Origin);
  const found = await readAvatar(ctx, owner, name);
  if (!found) return false;
  const etag = `"${name}"`;
  koa.set('ETag', etag);
  koa.set('Cache-Control', KEEP);
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox");
  koa.set('Content-Disposition', 'inline');
  if (matches(koa.get('if-none-match'), etag)) {
    koa.status = 304;
    return true;
  }
  koa.body = found.bytes;
  koa.set('Content-Type', found.mediaType);
  return true;
}

/** A day: a release may change the drawing. The response does not reveal whether a user with this id exists. */
const KEEP_IDENTICON = 'public, max-age=86400';

function serveIdenticon(koa: KoaContext, userId: number): void {
  const drawing = identicon(userId);
  const etag = `"${hash('sha1', drawing, 'base64url')}"`;
  koa.set('ETag', etag);
  koa.set('Cache-Control', KEEP_IDENTICON);
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox");
  if (matches(koa.get('if-none-match'), etag)) {
    koa.status = 304;
    return;
  }
  koa.body = drawing;
  koa.set('Content-Type', 'image/svg+xml');
}

/** Serves avatars of users, groups, projects and topics at their `avatar_url`, to all clients that know it. */
export function avatarMiddleware(services: ApiServices): Middleware {
  return async (koa, next) => {
    const drawn = IDENTICON.exec(koa.path)?.[1];
    if (drawn !== undefined && (koa.method === 'GET' || koa.method === 'HEAD')) {
      koa.state.pattern = '/-/identicons/users/:id.svg';
      return serveIdenticon(koa, Number(drawn));
    }
    const [, kind, id, name] = PATH.exec(koa.path) ?? [];
    const reads = koa.method === 'GET' || koa.method === 'HEAD';
    if (name === undefined || !reads) return next();
    koa.state.pattern = '/uploads/-/system/:kind/avatar/:id/:name';
    if (!(await serve(koa, services, { kind: kind as AvatarOwner['kind'], id: Number(id) }, name))) return next();
  };
}
