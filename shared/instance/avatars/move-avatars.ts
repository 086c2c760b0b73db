import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { getOldFolder, writeAvatar } from './avatar-files.js';
import type { AvatarOwner } from './avatar-files.js';

/** Tables whose rows refer to an avatar. */
const OWNERS = { user: 'users', group: 'namespaces', project: 'projects', topic: 'topics' } as const;

/** They lie in a domain above. */
type Owners = Record<(typeof OWNERS)[keyof typeof OWNERS], { id: number; avatar: string | null }>;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Stores one picture, if its owner still has it and no other process did so just now. */
async function moveOne(ctx: Context, owner: AvatarOwner, name: string, file: string): Promise<boolean> {
  const bytes = await readFile(file);
  return ctx.transaction(async () => {
    const row = await ctx.em
      .getKysely<InstanceDatabase & Owners>()
      .selectFrom(`${OWNERS[owner.kind]} as o`)
      .select((eb) => {
        const pictures = eb
          .selectFrom('pictures as i')
          .select(eb.lit(1).as('one'))
          .where('i.owner_kind', '=', owner.kind)
          .where('i.owner_id', '=', owner.id)
          .where('i.name', '=', name);
        return eb.exists(pictures).as('moved');
      })
      .where('o.id', '=', owner.id)
      .where('o.avatar', '=', name)
      .forNoKeyUpdate('o')
      .executeTakeFirst();
    if (!row || row.moved) return false;
    await writeAvatar(ctx, owner, bytes, path.extname(name).slice(1), name);
    return true;
  });
}

/**
 * Moves the avatars in `DATA_DIR/avatars`, the storage of earlier versions, to the object store, and then empties that
 * folder. Until then they are served from there. Idempotent, and safe in several processes at once.
 * @returns number of moved avatars
 */
export async function moveAvatars(ctx: Context): Promise<number> {
  const folder = getOldFolder(ctx);
  let moved = 0;
  for (const kind of Object.keys(OWNERS) as AvatarOwner['kind'][])
    for (const id of await namesIn(path.join(folder, kind)))
      for (const name of await namesIn(path.join(folder, kind, id))) {
        const file = path.join(folder, kind, id, name);
        if (await moveOne(ctx, { kind, id: Number(id) }, name, file)) moved += 1;
        await rm(file, { force: true });
      }
  for (const kind of await namesIn(folder)) await rm(path.join(folder, kind), { recursive: true, force: true });
  // Who runs the service may not be who keeps DATA_DIR: an empty folder may stay.
  await rmdir(folder).catch(() => undefined);
  return moved;
}
