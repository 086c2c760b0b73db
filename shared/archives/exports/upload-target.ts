import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { importUrlProblem } from '../../tenancy/project-settings/import-url.js';

export const UPLOAD_METHODS = ['PUT', 'POST'] as const;

/** Where an archive is sent once it is written, and how. */
export interface UploadTarget {
  readonly url: string;
  readonly method: (typeof UPLOAD_METHODS)[number];
}

/** Whose export it is: its upload's URL is readable for that one alone. */
interface UploadOwner {
  readonly project_id: number;
  readonly user_id: number;
}

const boundTo = ({ project_id, user_id }: UploadOwner) => `archive_exports.upload_url:${project_id}:${user_id}`;

/** A URL as it is stored. */
export const sealUploadUrl = (ctx: Context, owner: UploadOwner, url: string): Uint8Array =>
  ctx.services.keys.encrypt(url, boundTo(owner));

/** The URL that {@link sealUploadUrl} stored. */
export const openUploadUrl = (ctx: Context, owner: UploadOwner, sealed: Uint8Array): URL =>
  new URL(ctx.services.keys.decrypt(Buffer.from(sealed), boundTo(owner)));

/** What is wrong with a URL to send an archive to, or null: the rules of decision 20, of http and https alone. */
export const uploadUrlProblem = (ctx: Context, url: string): string | null =>
  importUrlProblem(ctx, url, ['http', 'https']);

/** @throws Invalid `{"message":{"url":["is blocked: …"]}}` for a URL that may not be asked */
export function requireUploadUrl(ctx: Context, url: string): void {
  const problem = uploadUrlProblem(ctx, url);
  if (problem !== null) throw new Invalid({ url: [problem] });
}
