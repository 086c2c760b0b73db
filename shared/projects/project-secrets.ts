import type { Context } from '../core/context.js';
import { generateToken } from '../core/secrets.js';

const RUNNERS_TOKEN_PREFIX = 'prt-';

const runnersTokenOf = (projectId: number) => `project_settings.runners_token:${projectId}`;
const importUrlOf = (projectId: number) => `project_settings.import_url:${projectId}`;

/** A fresh token that runners register with, as it is stored. */
export function newRunnersToken(ctx: Context, projectId: number): { plain: string; sealed: Uint8Array } {
  const plain = generateToken(RUNNERS_TOKEN_PREFIX);
  return { plain, sealed: ctx.services.keys.encrypt(plain, runnersTokenOf(projectId)) };
}

export function openRunnersToken(ctx: Context, projectId: number, sealed: Uint8Array | null): string | null {
  return sealed ? ctx.services.keys.decrypt(Buffer.from(sealed), runnersTokenOf(projectId)) : null;
}

export function sealImportUrl(ctx: Context, projectId: number, url: string | null): Uint8Array | null {
  return url === null ? null : ctx.services.keys.encrypt(url, importUrlOf(projectId));
}

/** The URL that a project is mirrored from, without the name and password in it. */
export function shownImportUrl(ctx: Context, projectId: number, sealed: Uint8Array | null): string | null {
  if (!sealed) return null;
  const url = new URL(ctx.services.keys.decrypt(Buffer.from(sealed), importUrlOf(projectId)));
  url.username = '';
  url.password = '';
  return url.toString();
}

const SCHEMES = ['http:', 'https:', 'ssh:', 'git:'];

/** What is wrong with a URL to mirror from, or null. */
export function importUrlProblem(url: string): string | null {
  if (!URL.canParse(url)) return 'is blocked: URI is invalid';
  return SCHEMES.includes(new URL(url).protocol) ? null : 'is blocked: Only allowed schemes are http, https, ssh, git';
}
