import { readFile } from 'node:fs/promises';
import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { clearable, upload } from '../../core/operations/fields.js';
import type { Upload } from '../../core/values/upload.js';
import { readAvatar, removeAvatar, writeAvatar } from './avatar-files.js';
import type { AvatarOwner } from './avatar-files.js';
import { AVATAR_BYTES, getPictureExtension, MEDIA_TYPES } from './avatar-formats.js';
import { IDENTICONS } from './identicon.js';

/**
 * Avatars of users, groups and projects. The owner's row holds the file name in a column `avatar` (null for none); an
 * operation takes {@link avatarParam} and stores the result of {@link replaceAvatar}; a serializer shows {@link
 * avatarUrl}; the route declares `uploadLimit: avatarUploadLimit`; code that deletes the owner calls `removeAvatarsOf`.
 */

/**
 * The parameter `avatar` of a multipart request: a picture; an empty text removes the one that is there. So does an
 * empty file, which is how python-gitlab sends an empty text.
 */
export const avatarParam = () =>
  clearable(upload())
    .transform((picture) => (picture?.bytes === 0 ? null : picture))
    .meta(clearable(upload()).meta() ?? {})
    .describe('Image of at most 200 KiB; empty for no image.');

/** Larger than an avatar may be, so that a slightly too large one gets an error for its parameter. */
export const avatarUploadLimit = () => 5 * AVATAR_BYTES;

/** @throws Invalid `{avatar: […]}` unless it is a picture of a known format and not too big */
async function requirePicture(picture: Upload): Promise<{ bytes: Buffer; extension: string }> {
  if (picture.bytes > AVATAR_BYTES) throw new Invalid({ avatar: ['is too big (should be at most 200 KiB)'] });
  const bytes = await readFile(picture.path);
  const extension = getPictureExtension(bytes);
  if (extension === null)
    throw new Invalid({
      avatar: [`file format is not supported. Please try one of the following supported formats: ${MEDIA_TYPES}`],
    });
  return { bytes, extension };
}

/**
 * Stores an uploaded avatar within the caller's transaction: a rollback discards it, a commit deletes the previous one.
 * @param current name of the owner's current avatar
 * @param picture undefined keeps it unchanged, null removes it
 * @returns the name for the owner's row
 * @throws Invalid if it is not an image; check before any other write
 */
export async function replaceAvatar(
  ctx: Context,
  owner: AvatarOwner,
  current: string | null | undefined,
  picture: Upload | null | undefined,
): Promise<string | null> {
  if (picture === undefined) return current ?? null;
  const stored = picture === null ? null : await store(ctx, owner, picture);
  if (current) await removeAvatar(ctx, owner, current);
  return stored;
}

async function store(ctx: Context, owner: AvatarOwner, picture: Upload): Promise<string> {
  const { bytes, extension } = await requirePicture(picture);
  return writeAvatar(ctx, owner, bytes, extension);
}

/**
 * Copies another owner's avatar within the caller's transaction.
 * @param current name of the other owner's avatar
 * @returns the name for the new owner's row; null if there is none, also if it is being replaced concurrently
 */
export async function copyAvatar(
  ctx: Context,
  from: AvatarOwner,
  current: string | null | undefined,
  to: AvatarOwner,
): Promise<string | null> {
  const picture = current ? await readAvatar(ctx, from, current) : null;
  const extension = picture && getPictureExtension(picture.bytes);
  return extension ? writeAvatar(ctx, to, picture.bytes, extension) : null;
}

/** A picture as a file to be sent. */
export interface Picture {
  bytes: Buffer;
  mediaType: string;
  filename: string;
}

/** The avatar of an owner whose record the caller may read. @throws NotFound "404 Avatar Not Found" */
export async function loadPicture(ctx: Context, owner: AvatarOwner, name: string | null | undefined): Promise<Picture> {
  const found = name ? await readAvatar(ctx, owner, name) : null;
  if (!found || !name) throw new NotFound('Avatar');
  return { ...found, filename: name };
}

/**
 * The URL of an avatar; null for a group, project or topic without one, while a user without one gets an identicon:
 * clients of user records expect a URL. An avatar's name is random, so that only callers who may read the owner's
 * record learn it; the URL needs no credential, because pages display images without one.
 */
export function avatarUrl(ctx: Context, { kind, id }: AvatarOwner, name: string | null | undefined): string | null {
  const { externalUrl } = ctx.config;
  if (name !== null && name !== undefined) return `${externalUrl}/uploads/-/system/${kind}/avatar/${id}/${name}`;
  return kind === 'user' ? `${externalUrl}${IDENTICONS}/${id}.svg` : null;
}
