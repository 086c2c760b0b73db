import type { Context } from '../../core/context/context.js';
import { InstanceGhost } from './user-relations.entity.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { isPathTaken } from '../namespaces/claim-path.js';
import { insertUser } from './create-user.js';

/** One at a time makes the ghost; the number is this lock's alone. */
const LOCK = 7_226_503;

async function freeUsername(ctx: Context): Promise<string> {
  for (let number = 0; ; number += 1) {
    const username = number === 0 ? 'ghost' : `ghost${number}`;
    if (!(await isPathTaken(ctx, username))) return username;
  }
}

/** Read by Kysely: who waited for the lock must see what another one made. */
async function findGhostId(ctx: Context): Promise<number | null> {
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('instance_ghost')
    .select('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** The user that takes over what deleted users did for others, made when the first one goes. @returns its id */
export async function ghostUser(ctx: Context): Promise<number> {
  const ghostId = await findGhostId(ctx);
  if (ghostId !== null) return ghostId;
  await ctx.em
    .getKysely<TenancyDatabase>()
    .selectNoFrom((eb) => eb.fn<void>('pg_advisory_xact_lock', [eb.val(LOCK)]).as('locked'))
    .execute();
  const id = await findGhostId(ctx);
  if (id !== null) return id;
  const username = await freeUsername(ctx);
  const ghost = await insertUser(ctx, {
    username,
    name: 'Ghost User',
    // Undeliverable: the domain is reserved and cannot be registered.
    email: `${username}@users.invalid`,
    internal: true,
    profile: { bio: 'Stands for users who were deleted.', projects_limit: 0, can_create_group: false },
  });
  await ctx.em.insert(InstanceGhost, { user_id: ghost.id });
  return ghost.id;
}
