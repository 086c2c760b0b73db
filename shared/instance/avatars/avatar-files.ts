import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { openObject, storeBytes } from '../../core/stored-files/storing.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { avatarMediaType } from './avatar-formats.js';
import { StoredPicture } from './picture.entity.js';

/** Owner of an avatar. Ids are those of the owner's own table; for a group, its namespace's. */
export type AvatarOwner = ContainerRef | { readonly kind: 'user' | 'topic'; readonly id: number };

/** The kind of object that pictures are stored as. */
const KIND = 'avatars';

/** Nothing that a client wrote is part of a name. */
const NAME = /^[0-9a-f]{32}\.([a-z]{3,4})$/;

/** The digits of a name as a UUID: they make the object's key. */
const getUuid = (name: string): string =>
  [name.slice(0, 8), name.slice(8, 12), name.slice(12, 16), name.slice(16, 20), name.slice(20, 32)].join('-');

/** Where pictures lay before there was an object store. */
export const getOldFolder = ({ config }: Pick<Services, 'config'>): string => path.join(config.dataDir, KIND);

/**
 * Stores an avatar within the open transaction, under an unguessable name unless one is passed.
 * @returns the name, for the owner's row
 */
export async function writeAvatar(
  ctx: Context<Caller>,
  { kind, id }: AvatarOwner,
  bytes: Buffer,
  extension: string,
  name = `${randomBytes(16).toString('hex')}.${extension}`,
): Promise<string> {
  const stored = await storeBytes(ctx, KIND, bytes, getUuid(name));
  await ctx.em.insert(StoredPicture, { owner_kind: kind, owner_id: id, name, object_id: stored.id });
  return name;
}

/** Removes one picture within the open transaction. */
export async function removeAvatar(ctx: Context<Caller>, { kind, id }: AvatarOwner, name: string): Promise<void> {
  await ctx.em.nativeDelete(StoredPicture, { owner_kind: kind, owner_id: id, name });
}

/** Removes every picture of owners that go, within the open transaction. */
export async function removeAvatarsOf(
  ctx: Context<Caller>,
  kind: AvatarOwner['kind'],
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await ctx.em
    .getKysely<InstanceDatabase>()
    .deleteFrom('pictures')
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', anyOf(ids, 'bigint'))
    .execute();
}

/** One that was not moved to the object store yet. */
async function readOld(ctx: Context, { kind, id }: AvatarOwner, name: string): Promise<Buffer | null> {
  try {
    return await readFile(path.join(getOldFolder(ctx), kind, String(id), name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

interface PictureKey {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

const findPicture = prepareQuery<InstanceDatabase, PictureKey, { key: string; bytes: number }>(
  (db, { kind, id, name }) =>
    db
      .selectFrom('pictures as i')
      .innerJoin('stored_objects as o', 'o.id', 'i.object_id')
      .select(['o.key', 'o.bytes'])
      .where('i.owner_kind', '=', kind)
      .where('i.owner_id', '=', id)
      .where('i.name', '=', name),
);

/** A stored picture with its media type, or null where the owner has none of that name. */
export async function readAvatar(
  ctx: Context,
  owner: AvatarOwner,
  name: string,
): Promise<{ bytes: Buffer; mediaType: string } | null> {
  const mediaType = avatarMediaType(NAME.exec(name)?.[1] ?? '');
  if (mediaType === null) return null;
  const [found] = await findPicture(ctx, { kind: owner.kind, id: owner.id, name });
  const bytes = found ? await buffer(await openObject(ctx, found)) : await readOld(ctx, owner, name);
  return bytes && { bytes, mediaType };
}
