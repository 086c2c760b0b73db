import { Invalid } from '../../core/values/errors.js';
import { MARKDOWN_ENDINGS } from '../../core/markdown/markdown-files.js';
import { isValidFilePath } from '../../git/index.js';

/** Page formats with their file extensions; the first extension is used for new pages. */
const ENDINGS = {
  markdown: MARKDOWN_ENDINGS,
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc', 'asc'],
  org: ['org'],
} as const;

export type WikiFormat = keyof typeof ENDINGS;
export const WIKI_FORMATS = Object.keys(ENDINGS) as [WikiFormat, ...WikiFormat[]];

/** Every ending, with its format. */
const FORMAT_OF = new Map<string, WikiFormat>(
  WIKI_FORMATS.flatMap((format) => ENDINGS[format].map((ending): [string, WikiFormat] => [ending, format])),
);

/** A file of the repository that is a page. */
export interface WikiFile {
  readonly path: string;
  /** The path without its ending. */
  readonly slug: string;
  readonly format: WikiFormat;
}

/** The page that a file is; null for one that is none. */
export function getWikiFile(path: string): WikiFile | null {
  const at = path.lastIndexOf('.');
  const format = FORMAT_OF.get(path.slice(at + 1).toLowerCase());
  const slug = path.slice(0, Math.max(at, 0));
  return format === undefined || slug === '' || slug.endsWith('/') ? null : { path, slug, format };
}

/** The title of a page: the last part of its slug, with spaces for hyphens. */
export const titleOfSlug = (slug: string): string => slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' ');

/** The folder that a page lies in; empty for the top. */
export const folderOfSlug = (slug: string): string => slug.slice(0, Math.max(slug.lastIndexOf('/'), 0));

/** The file of a page of that slug and format. */
export const pathOfPage = (slug: string, format: WikiFormat): string => `${slug}.${ENDINGS[format][0]}`;

/** Where a page of that slug may lie, whatever its format. */
export const pathsOfPage = (slug: string): string[] => [...FORMAT_OF.keys()].map((ending) => `${slug}.${ending}`);

const MOST_BYTES = 1024;
const MOST_PART_BYTES = 245;

/** A slug as used in URLs; null if it cannot be the slug of a page. */
export function parseSlug(text: string): string | null {
  const slug = text.replaceAll(' ', '-');
  const fits = Buffer.byteLength(slug) <= MOST_BYTES && isValidFilePath(slug);
  return fits ? slug : null;
}

/**
 * The slug for a page title, which may contain folders: spaces become hyphens.
 * @param folder the folder for a title without folders; a title that begins with a slash is relative to the root
 * @throws Invalid for a slug that points outside of the wiki, or is too long
 */
export function slugOfTitle(title: string, folder = ''): string {
  const parts = title.split('/').map((part) => part.trim().replaceAll(/\s+/g, '-'));
  const isBare = parts.length === 1 && folder !== '';
  const slug = isBare ? `${folder}/${parts[0]}` : parts.join('/').replace(/^\//, '');
  const long = slug.split('/').some((part) => Buffer.byteLength(part) > MOST_PART_BYTES);
  if (long || Buffer.byteLength(slug) > MOST_BYTES)
    throw new Invalid({ title: [`is too long (maximum is ${MOST_PART_BYTES} bytes a part, ${MOST_BYTES} in all)`] });
  if (!isValidFilePath(slug)) throw new Invalid({ title: ['is invalid'] });
  return slug;
}
