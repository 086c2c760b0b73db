import type { Middleware } from 'koa';
import { sendErrorBody, sendJson } from '../../core/respond.js';
import { sendStatic, staticForms } from '../../core/server/static-answer.js';
import type { StaticForms } from '../../core/server/static-answer.js';
import { textParam, webQuery } from '../../core/web-routes.js';
import type { HelpDeclarations } from './declared-tables.js';
import { HELP_GROUPS, readHelpSources } from './help-pages.js';
import { renderPages } from './rendered-pages.js';
import type { HelpPage } from './rendered-pages.js';
import { LONGEST_SEARCH, searchHelp } from './search-help.js';

type Pages = ReadonlyMap<string, HelpPage>;

const SEARCH = '/-/help/search.json';

const json = (value: unknown): Promise<StaticForms> => staticForms('application/json', JSON.stringify(value));

const getSections = ({ sections }: HelpPage) => sections.map(({ id, title, level }) => ({ id, title, level }));

/** The pages by group, each with its sections. */
const getContents = (pages: Pages) => ({
  groups: HELP_GROUPS.map(({ title, slugs }) => ({
    title,
    pages: slugs.map((slug) => {
      const page = pages.get(slug)!;
      return { slug, title: page.title, sections: getSections(page) };
    }),
  })),
});

/** What is the same for everybody at an address, with the pattern by which metrics know it; null for another address. */
function documentAt(path: string, pages: Pages): { pattern: string; make: () => Promise<StaticForms> } | null {
  if (path === '/-/help/contents.json') return { pattern: path, make: () => json(getContents(pages)) };
  const [, asJson, asText] = /^(?:\/-\/help\/pages\/([\w-]+)\.json|\/help\/([\w-]+)\.md)$/.exec(path) ?? [];
  const page = pages.get(asJson ?? asText ?? '');
  if (!page) return null;
  if (asText !== undefined)
    return { pattern: '/help/:page.md', make: () => staticForms('text/markdown; charset=utf-8', page.markdown) };
  const { slug, title, html } = page;
  return { pattern: '/-/help/pages/:page.json', make: () => json({ slug, title, html, sections: getSections(page) }) };
}

const IS_HELP = /^\/(?:-\/help\/|help\/[\w-]+\.md$)/;

/**
 * Serves the pages of `/help` to everybody: as JSON for the page that shows them, as Markdown for clients without a
 * browser, and a search over them. They are rendered once, when first asked for.
 * @param load what tables are made of, read when it is needed
 */
export function helpMiddleware(load: () => Promise<HelpDeclarations>): Middleware {
  const sources = readHelpSources();
  const documents = new Map<string, Promise<StaticForms>>();
  let rendered: Promise<Pages> | undefined;
  const renderOnce = async (): Promise<Pages> => renderPages(sources, await load());
  return async (koa, next) => {
    if (!IS_HELP.test(koa.path) || (koa.method !== 'GET' && koa.method !== 'HEAD')) return next();
    const pages = await (rendered ??= renderOnce());
    if (koa.path === SEARCH) {
      koa.state.pattern = SEARCH;
      const search = textParam(webQuery(koa), 'search');
      if (search.length > LONGEST_SEARCH) return sendErrorBody(koa, 400, { error: 'search is invalid' });
      return sendJson(koa, 200, { matches: searchHelp(pages.values(), search) });
    }
    const found = documentAt(koa.path, pages);
    // Not a page of the browser, whose addresses look alike.
    if (!found) return sendErrorBody(koa, 404, { error: '404 Not Found' });
    koa.state.pattern = found.pattern;
    const document = documents.get(koa.path) ?? found.make();
    documents.set(koa.path, document);
    sendStatic(koa, await document);
  };
}
