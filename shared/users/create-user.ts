import type { Context } from '../core/context.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { Route } from '../namespaces/route.entity.js';
import { User } from './user.entity.js';


export interface NewUser {
  username: string;
  name: string;
  email: string;
  admin?: boolean;
  external?: boolean;
  bot?: boolean;
  password_digest?: string | null;
}

/** Stores a user with the personal namespace that belongs to it. Runs in the caller's transaction. */
export async function insertUser(ctx: Context, given: NewUser): Promise<User & { namespace_id: number }> {
  const now = ctx.clock.now();
  const user = ctx.em.create(User, {
    username: given.username,
    name: given.name,
    email: given.email,
    public_email: null,
    password_digest: given.password_digest ?? null,
    state: 'active',
    admin: given.admin ?? false,
    external: given.external ?? false,
    bot: given.bot ?? false,
    created_at: now,
    updated_at: now,
  });
  await ctx.em.flush();
  const namespace = ctx.em.create(Namespace, {
    kind: 'user',
    name: given.name,
    path: given.username,
    description: '',
    visibility: 'public',
    parent_id: null,
    traversal_ids: [],
    owner_id: user.id,
    created_at: now,
    updated_at: now,
  });
  await ctx.em.flush();
  namespace.traversal_ids = [namespace.id];
  ctx.em.create(Route, { namespace_id: namespace.id, project_id: null, path: given.username, name: given.name });
  await ctx.em.flush();
  return Object.assign(user, { namespace_id: namespace.id });
}
