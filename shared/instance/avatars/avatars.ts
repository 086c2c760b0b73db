import { readFile } from 'node:fs/promises';
import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { clearable, upload } from '../../core/operations/fields.js';
import type { Upload } from '../../core/values/upload.js';
import { readAvatar, removeAvatar, writeAvatar } from './avatar-files.js';
import type { AvatarOwner } from './avatar-files.js';
import { AVATAR_BYTES, extensionOf, MEDIA_TYPES } from './avatar-formats.js';
import { IDENTICONS } from './identicon.js';

/**
 * Pictures of users, groups and projects. The owner's row holds the file's name in a column `avatar` (null for none);
 * an operation takes {@link avatarParam} and stores what {@link replaceAvatar} answers; a serializer shows
 * {@link avatarUrl}; the route says `uploadLimit: avatarUploadLimit`; who removes the owner calls `removeAvatarsOf`.
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

/** More than a picture may have, so that one that is a little too big is told so by the name of its parameter. */
export const avatarUploadLimit = () => 5 * AVATAR_BYTES;

/** @throws Invalid `{avatar: […]}` unless it is a picture of a known format and not too big */
async function requirePicture(picture: Upload): Promise<{ bytes: Buffer; extension: string }> {
  if (picture.bytes > AVATAR_BYTES) throw new Invalid({ avatar: ['is too big (should be at most 200 KiB)'] });
  const bytes = await readFile(picture.path);
  const extension = extensionOf(bytes);
  if (extension === null)
    throw new Invalid({
      avatar: [`file format is not supported. Please try one of the following supported formats: ${MEDIA_TYPES}`],
    });
  return { bytes, extension };
}

/**
 * Stores the picture that came with a request, within the caller's transaction: it goes again should that roll back, and
 * the one before it goes once it is committed.
 * @param current name of the picture that the owner has
 * @param picture undefined leaves it as it is, null removes it
 * @returns the name for the owner's row
 * @throws Invalid for what is no picture; check before anything else is written
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
 * Gives an owner a copy of another one's picture, within the caller's transaction.
 * @param current name of the picture that the other one has
 * @returns the name for the owner's row; null where there is none, also when it was replaced at this moment
 */
export async function copyAvatar(
  ctx: Context,
  from: AvatarOwner,
  current: string | null | undefined,
  to: AvatarOwner,
): Promise<string | null> {
  const picture = current ? await readAvatar(ctx, from, current) : null;
  const extension = picture && extensionOf(picture.bytes);
  return extension ? writeAvatar(ctx, to, picture.bytes, extension) : null;
}

/** A picture as a file to be sent. */
export interface Picture {
  bytes: Buffer;
  mediaType: string;
  filename: string;
}

/** The picture of an owner whose record the caller may read. @throws NotFound "404 Avatar Not Found" */
export async function pictureOf(ctx: Context, owner: AvatarOwner, name: string | null | undefined): Promise<Picture> {
  const found = name ? await readAvatar(ctx, owner, name) : null;
  if (!found || !name) throw new NotFound('Avatar');
  return { ...found, filename: name };
}

/**
 * Where a picture is served; null for a group, project or topic that has none, while a person without one is shown by
 * a drawing: clients of people's records expect a URL. A picture's name is random, so that only those learn it who may
 * read the owner's record; whoever has it needs no credential, as pages show pictures without one.
 */
export function avatarUrl(ctx: Context, { kind, id }: AvatarOwner, name: string | null | undefined): string | null {
  const { externalUrl } = ctx.config;
  if (name !== null && name !== undefined) return `${externalUrl}/uploads/-/system/${kind}/avatar/${id}/${name}`;
  return kind === 'user' ? `${externalUrl}${IDENTICONS}/${id}.svg` : null;
}
