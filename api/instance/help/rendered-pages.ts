import { setImmediate } from 'node:timers/promises';
import { renderHtml } from '../../../shared/core/markdown/renderer.js';
import { withDeclaredTables } from './declared-tables.js';
import type { HelpDeclarations } from './declared-tables.js';
import { addressOfPage } from './help-pages.js';
import type { HelpSource } from './help-pages.js';

/** A part of a page under a heading: `#id` leads there. */
interface HelpSection {
  id: string;
  title: string;
  /** 2 for a section, 3 for a part of one. */
  level: number;
  /** What stands there, without markup. */
  text: string;
}

export interface HelpPage {
  slug: string;
  title: string;
  /** With the tables that are made of declarations. */
  markdown: string;
  /** Safe HTML without the title. */
  html: string;
  /** What stands above the first heading. */
  lead: string;
  sections: HelpSection[];
}

/** A link to another page by its file, and to a section of it. */
const PAGE_LINK = /\]\(([\w-]+)\.md(#[\w-]+)?\)/g;
const HEADING = /^<h([23]) id="user-content-([^"]+)"[^>]*>(.*?)<a class="anchor"/s;
/** Between letters it is no space. */
const INLINE_TAG = /<\/?(?:a|code|em|strong)\b[^>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** The text of HTML that our renderer wrote, in one line. */
const getText = (html: string): string =>
  html
    .replaceAll(INLINE_TAG, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ENTITIES[name] as string)
    .replaceAll(/\s+/g, ' ')
    .trim();

function render({ slug, title, markdown }: HelpSource, declared: HelpDeclarations): HelpPage {
  const written = withDeclaredTables(markdown, declared);
  const linked = written.replaceAll(
    PAGE_LINK,
    (_, name: string, hash = '') => `](${addressOfPage(name)}${hash as string})`,
  );
  const html = renderHtml(linked).replace(/^<h1[^]*?<\/h1>\s*/, '');
  const parts = html.split(/(?=<h[23] )/);
  const lead = HEADING.test(parts[0] ?? '') ? '' : (parts.shift() ?? '');
  const sections = parts.flatMap((part) => {
    const [heading, level, id, titleHtml] = HEADING.exec(part) ?? [];
    if (heading === undefined || id === undefined) return [];
    const body = part.slice(part.indexOf('</h'));
    return [{ id, title: getText(titleHtml ?? ''), level: Number(level), text: getText(body) }];
  });
  return { slug, title, markdown: written, html, lead: getText(lead), sections };
}

/** Renders all pages, one at a time: what else the process does goes on meanwhile. */
export async function renderPages(
  sources: ReadonlyMap<string, HelpSource>,
  declared: HelpDeclarations,
): Promise<ReadonlyMap<string, HelpPage>> {
  const pages = new Map<string, HelpPage>();
  for (const [slug, source] of sources) {
    pages.set(slug, render(source, declared));
    await setImmediate();
  }
  return pages;
}
