import { parseFileList } from '../../git/index.js';
import { detectLanguages } from '../../tenancy/projects/detect-languages.js';
import { OTHER } from '../../tenancy/projects/license-list.js';
import { licenseFile, recogniseLicense } from '../../tenancy/projects/recognise-license.js';
import { MARKDOWN_ENDINGS } from '../../core/markdown/markdown-files.js';

/** Kinds of text that are rendered, Markdown before the others; plain text comes last. */
const MARKDOWN = [...MARKDOWN_ENDINGS, 'rmd'].join('|');
const OTHER_TEXT = 'adoc|asciidoc|ad|rst|org|textile|rdoc|creole|wiki|mediawiki';
// Own pattern: endings of names.
const README = new RegExp(`^(readme|index)(?:\\.(?:(${MARKDOWN})|(${OTHER_TEXT})|txt))?$`, 'i');

/** Rendered before plain, `README` before `index`, Markdown before other kinds. */
function rank(name: string): number {
  const [, stem = '', markdown, other] = README.exec(name) ?? [];
  const kind = markdown ? 0 : other ? 1 : 4;
  return kind + (/^index$/i.test(stem) ? 2 : 0);
}

/** Which of the files in the root folder introduces the project; null for none. */
function readmeFile(names: readonly string[]): string | null {
  const found = names.filter((name) => README.test(name));
  return found.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null;
}

/** Data derived from the files of a repository. */
export interface FileDetails {
  readme_path: string | null;
  license_path: string | null;
  license_key: string | null;
  /** Bytes, by language. */
  languages: Map<string, number>;
}

/** Reads small files by the ids of their contents, in the same order; empty for missing ones. */
export type ReadContents = (ids: string[]) => Promise<Uint8Array[]>;

/** No licence is longer. */
const LICENSE_BYTES = 256 * 1024;

const getText = (content: Uint8Array | undefined) => Buffer.from(content ?? []).toString('utf8');

/**
 * Looks at a list of files as git prints it. Takes as long as users' files make it take: never on the thread that other
 * jobs and the alarms of schedules are on (`measure-thread.ts`).
 */
export async function measureFiles(list: Uint8Array, read: ReadContents): Promise<FileDetails> {
  const files = parseFileList(Buffer.from(list.buffer, list.byteOffset, list.byteLength));
  const root = files.filter(({ path }) => !path.includes('/'));
  const names = root.map(({ path }) => path);
  const license = licenseFile(names);
  const found = root.find(({ path }) => path === license);
  const readable = found && found.size <= LICENSE_BYTES;
  const text = readable ? getText((await read([found.id]))[0]) : null;
  return {
    readme_path: readmeFile(names),
    license_path: license,
    license_key: text !== null ? recogniseLicense(text) : found ? OTHER.key : null,
    languages: await detectLanguages(files, async (ids) => (await read(ids)).map(getText)),
  };
}
