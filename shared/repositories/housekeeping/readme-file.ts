import { MARKDOWN_ENDINGS } from '../../core/markdown/markdown-files.js';

/** Kinds of text that are rendered, Markdown before the others; plain text comes last. */
const MARKDOWN = [...MARKDOWN_ENDINGS, 'rmd'].join('|');
const OTHER = 'adoc|asciidoc|ad|rst|org|textile|rdoc|creole|wiki|mediawiki';
// Own pattern: endings of names.
const README = new RegExp(`^(readme|index)(?:\\.(?:(${MARKDOWN})|(${OTHER})|txt))?$`, 'i');

/** Rendered before plain, `README` before `index`, Markdown before other kinds. */
function rank(name: string): number {
  const [, stem = '', markdown, other] = README.exec(name) ?? [];
  const kind = markdown ? 0 : other ? 1 : 4;
  return kind + (/^index$/i.test(stem) ? 2 : 0);
}

/** Which of the files in the root folder introduces the project; null for none. */
export function readmeFile(names: readonly string[]): string | null {
  const found = names.filter((name) => README.test(name));
  return found.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null;
}
