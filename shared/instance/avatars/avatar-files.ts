import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ContainerRef } from '../../core/container.js';
import type { Services } from '../../core/context.js';
import { avatarMediaType } from './avatar-formats.js';

/** Whose picture it is. Ids are of the owner's own table; a group's is its namespace's. */
export type AvatarOwner = ContainerRef | { readonly kind: 'user' | 'topic'; readonly id: number };

type Place = Pick<Services, 'config'>;

/** Nothing that a client wrote is part of a path. */
const NAME = /^[0-9a-f]{32}\.([a-z]{3,4})$/;

const folderOf = ({ config }: Place, { kind, id }: AvatarOwner) =>
  path.join(config.dataDir, 'avatars', kind, String(id));

/** Writes a picture below DATA_DIR, under a name that nobody guesses. @returns the name, for the owner's row */
export async function writeAvatar(place: Place, owner: AvatarOwner, bytes: Buffer, extension: string): Promise<string> {
  const name = `${randomBytes(16).toString('hex')}.${extension}`;
  const folder = folderOf(place, owner);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, name), bytes, { flag: 'wx' });
  return name;
}

/** Removes one picture; one that is gone already is no error. */
export function removeAvatarFile(place: Place, owner: AvatarOwner, name: string): void {
  rmSync(path.join(folderOf(place, owner), name), { force: true });
}

/** Removes every picture of an owner that is gone. */
export function removeAvatarFolder(place: Place, owner: AvatarOwner): void {
  rmSync(folderOf(place, owner), { recursive: true, force: true });
}

/** A stored picture with its media type, or null where there is none of that name. */
export async function readAvatar(
  place: Place,
  owner: AvatarOwner,
  name: string,
): Promise<{ bytes: Buffer; mediaType: string } | null> {
  const mediaType = avatarMediaType(NAME.exec(name)?.[1] ?? '');
  if (mediaType === null) return null;
  try {
    return { bytes: await readFile(path.join(folderOf(place, owner), name)), mediaType };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
