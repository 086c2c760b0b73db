import type { AliasableExpression, Expression, Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { prepareExpression, prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders, Query } from '../../core/database/prepared.js';

/** The kind of caller, which determines the form of a permission condition. */
interface CallerKind {
  readonly admin: boolean;
  readonly anonymous: boolean;
  /** External users see internal resources only as members. */
  readonly external: boolean;
}

/** The user and the day for which permissions are evaluated. */
export interface Who {
  readonly userId: number;
  readonly day: string;
}

/** What conditions about rights depend on. */
export interface Viewer extends CallerKind, Placeholders<Who> {}

const NOBODY: CallerKind = { admin: false, anonymous: false, external: false };

/** Makes one of something for each kind of caller, and finds it. */
function byKind<T>(make: (kind: CallerKind) => T): (ctx: Context) => T {
  const admin = make({ ...NOBODY, admin: true });
  const anonymous = make({ ...NOBODY, anonymous: true });
  const external = make({ ...NOBODY, external: true });
  const member = make(NOBODY);
  return ({ caller }) => {
    if (caller.admin) return admin;
    if (caller.anonymous) return anonymous;
    return caller.user?.external ? external : member;
  };
}

/** Today by the database's clock, UTC: a membership ends on the day that its `expires_on` names. */
export function today(ctx: Context<Caller>): string {
  return ctx.clock.now().toISOString().slice(0, 10);
}

/** The caller, today. */
export const describeCaller = (ctx: Context): Who => ({ userId: ctx.caller.id, day: today(ctx) });

/**
 * A condition on the caller's permissions, built once for each kind of caller.
 * @param build the condition for a viewer of that kind
 */
export function forCaller<T>(build: (viewer: Viewer) => Expression<T>): (ctx: Context) => AliasableExpression<T> {
  const prepared = byKind((kind) => prepareExpression<Who, T>(({ userId, day }) => build({ ...kind, userId, day })));
  return (ctx) => prepared(ctx)(describeCaller(ctx));
}

/**
 * A query on the caller's permissions, built once for each kind of caller; for frequent reads.
 * @param build the query for a viewer of that kind, with placeholders for its other values
 */
export function queryForCaller<Database, Values extends object, Row>(
  build: (db: Kysely<Database>, viewer: Viewer, values: Placeholders<Values>) => Query<Row>,
): (ctx: Context, values: Values) => Promise<Row[]> {
  const prepared = byKind((kind) =>
    prepareQuery<Database, Values & Who, Row>((db, values) => {
      const { userId, day } = values as Placeholders<Who>;
      return build(db, { ...kind, userId, day }, values as Placeholders<Values>);
    }),
  );
  return (ctx, values) => prepared(ctx)(ctx, { ...values, ...describeCaller(ctx) });
}
