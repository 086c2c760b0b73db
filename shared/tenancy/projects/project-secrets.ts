import type { Context } from '../../core/context/context.js';
import { generateToken } from '../../core/values/secrets.js';

const RUNNERS_TOKEN_PREFIX = 'prt-';

const getRunnersToken = (projectId: number) => `project_settings.runners_token:${projectId}`;

/** A fresh token that runners of a project register with, and the columns that it is stored in. */
export function newRunnersToken(ctx: Context, projectId: number) {
  const plain = generateToken(RUNNERS_TOKEN_PREFIX);
  const { keys } = ctx.services;
  return {
    plain,
    columns: {
      runners_token: keys.encrypt(plain, getRunnersToken(projectId)),
      runners_token_digest: keys.digest(plain),
    },
  };
}

export function openRunnersToken(ctx: Context, projectId: number, sealed: Uint8Array | null): string | null {
  return sealed ? ctx.services.keys.decrypt(Buffer.from(sealed), getRunnersToken(projectId)) : null;
}

const getImportUrl = (projectId: number) => `project_settings.import_url:${projectId}`;

/** A URL as it is stored: it may hold a password. */
export function sealImportUrl(ctx: Context, projectId: number, url: string | null): Uint8Array | null {
  return url === null ? null : ctx.services.keys.encrypt(url, getImportUrl(projectId));
}

/** The URL that {@link sealImportUrl} stored, with name and password. */
export function openImportUrl(ctx: Context, projectId: number, sealed: Uint8Array): URL {
  return new URL(ctx.services.keys.decrypt(Buffer.from(sealed), getImportUrl(projectId)));
}

/** The URL that a project is imported or mirrored from, without the name and password in it. */
export function publicImportUrl(ctx: Context, projectId: number, sealed: Uint8Array | null): string | null {
  if (!sealed) return null;
  const url = openImportUrl(ctx, projectId, sealed);
  url.username = '';
  url.password = '';
  return url.toString();
}
