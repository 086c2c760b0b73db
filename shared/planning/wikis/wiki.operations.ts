import type { ContainerType, ContainerRef } from '../../core/operations/container.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, oneOf, optional, presentText, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import type { CommitAction } from '../../git/index.js';
import { openContent } from '../../repositories/repositories/content-ref.js';
import { commitToContent, ensureContent } from '../../repositories/repositories/write-content.js';
import { forContainers, lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { escapeText } from '../../core/markdown/escape-text.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { folderOfSlug, pathOfPage, slugOfTitle, titleOfSlug, WIKI_FORMATS } from './wiki-formats.js';
import type { WikiFormat } from './wiki-formats.js';
import { moveWikiMeta } from './wiki-meta.js';
import { findWikiPage, pageAt, readWikiPages, wikiPages, wikiContent } from './wiki.finder.js';
import { wikiPolicy } from './wiki.policy.js';
import type { WholeWikiPage, WikiPageRecord } from './wiki-page-meta.entity.js';
import { pageParts } from './front-matter.js';

/** A page with its content as safe HTML: Markdown is rendered, other formats are displayed as source text. */
async function renderedPage(ctx: Context, container: ContainerRef, page: WholeWikiPage): Promise<WholeWikiPage> {
  const { text } = pageParts(page.content);
  if (page.format !== 'markdown') return { ...page, content: `<pre>${escapeText(text)}</pre>` };
  const [content = ''] = await ctx.services.markdown.htmlOf(ctx, [{ written: text, form: 'text', container }]);
  return { ...page, content };
}

const slugParam = {
  slug: text()
    .describe('Path of the page without its extension, as one URL-encoded segment.')
    .meta({ examples: ['docs/Home'] }),
};
const contentParam = presentText()
  .describe('Content of the wiki page.')
  .meta({ examples: ['Hello'] });
const titleParam = presentText()
  .describe('Title of the page, with its folders before the title: `docs/My page`.')
  .meta({ examples: ['docs/Home'] });
const format = oneOf(WIKI_FORMATS);

const MOST_BYTES = 5 * 1024 * 1024;

/** @throws Invalid */
function requireContent(content: string | undefined): void {
  if (content !== undefined && Buffer.byteLength(content) > MOST_BYTES)
    throw new Invalid({ content: [`is too long (maximum is ${MOST_BYTES / 1024 / 1024} MiB)`] });
}

/** Ensures that no page with that slug exists in any format; other writers are locked out meanwhile. @throws Invalid */
async function requireFree(ctx: SignedInContext, container: Container, slug: string): Promise<void> {
  const content = wikiContent(container);
  const { head_sha: head } = await ensureContent(ctx, content);
  if (head && (await pageAt(openContent(ctx, content), head, slug)))
    throw new Invalid('Duplicate page: A page with that title already exists', 422);
}

/** Commits to the wiki; the page as it is then. */
async function commit(
  ctx: SignedInContext,
  container: Container,
  slug: string,
  verb: string,
  actions: CommitAction[],
): Promise<WholeWikiPage> {
  const message = `${ctx.caller.user.username} ${verb} page: ${titleOfSlug(slug)}`;
  await commitToContent(ctx, wikiContent(container), { message, actions });
  return findWikiPage(ctx, container, slug);
}

interface Change {
  slug: string;
  title?: string | undefined;
  content?: string | undefined;
  format?: WikiFormat | undefined;
}

async function update(ctx: SignedInContext, container: Container, change: Change): Promise<WholeWikiPage> {
  requireContent(change.content);
  await lockContainer(ctx, container);
  await ensureContent(ctx, wikiContent(container));
  const before = await findWikiPage(ctx, container, change.slug);
  const slug = change.title === undefined ? before.slug : slugOfTitle(change.title, folderOfSlug(before.slug));
  const moves = slug !== before.slug;
  if (moves) {
    await requireFree(ctx, container, slug);
    await moveWikiMeta(ctx, container, before.slug, slug);
  }
  const keepsFormat = change.format === undefined || change.format === before.format;
  const ending = before.path.slice(before.path.lastIndexOf('.'));
  const path = keepsFormat ? `${slug}${ending}` : pathOfPage(slug, change.format ?? before.format);
  const content = Buffer.from(change.content ?? before.content);
  const action: CommitAction =
    path === before.path
      ? { action: 'update', file_path: path, content }
      : { action: 'move', file_path: path, previous_path: before.path, content };
  return commit(ctx, container, slug, 'updated', [action]);
}

async function remove(ctx: SignedInContext, container: Container, slug: string): Promise<void> {
  await lockContainer(ctx, container);
  const page = await findWikiPage(ctx, container, slug);
  const message = `${ctx.caller.user.username} deleted page: ${page.title}`;
  const actions: CommitAction[] = [{ action: 'delete', file_path: page.path }];
  await commitToContent(ctx, wikiContent(container), { message, actions });
}

type Type = ContainerType<Container>;

/** Group wikis come with Premium. */
const getPlan = ({ kind }: Type) => (kind === 'group' ? ({ plan: 'premium' } as const) : {});

/** Reading requires read access to the wiki. */
function readingOperations(type: Type) {
  const { kind, noun, resource } = type;
  const readable = {
    resource,
    ...getPlan(type),
    can: can(wikiPolicy, 'read_wiki'),
    authentication: 'open',
    kind: 'read',
  } as const;
  return {
    list: operation({
      name: `list${noun}WikiPages`,
      ...readable,
      summary: `List the wiki pages of a ${kind}`,
      params: { with_content: withDefault(boolean(), false).describe('If `true`, includes the content of each page.') },
      async run(ctx: Context, container, input): Promise<(WikiPageRecord | WholeWikiPage)[]> {
        const pages = await wikiPages(ctx, container);
        return input.with_content ? readWikiPages(ctx, container, pages) : pages;
      },
    }),
    get: operation({
      name: `get${noun}WikiPage`,
      ...readable,
      statements: 12,
      summary: `Read a wiki page of a ${kind}`,
      params: {
        ...slugParam,
        version: optional(text()).describe('ID of the commit to read the page at.'),
        render_html: withDefault(boolean(), false).describe('If `true`, returns the content of the page as HTML.'),
      },
      async run(ctx: Context, container, { slug, version, render_html }) {
        const page = await findWikiPage(ctx, container, slug, version);
        return render_html ? renderedPage(ctx, container, page) : page;
      },
    }),
  };
}

/** Writing: Developers, each write one commit. */
function writingOperations(type: Type) {
  const { kind, noun, resource } = type;
  const writable = { resource, ...getPlan(type), kind: 'write', statements: 30 } as const;
  return {
    create: operation({
      name: `create${noun}WikiPage`,
      ...writable,
      can: can(wikiPolicy, 'create_wiki_page'),
      summary: `Create a wiki page of a ${kind}`,
      params: {
        title: titleParam,
        content: contentParam,
        format: withDefault(format, 'markdown').describe('Format of the content of the page.'),
      },
      async run(ctx, container, input) {
        const slug = slugOfTitle(input.title);
        requireContent(input.content);
        await lockContainer(ctx, container);
        await requireFree(ctx, container, slug);
        const action = { action: 'create', file_path: pathOfPage(slug, input.format) } as const;
        return commit(ctx, container, slug, 'created', [{ ...action, content: Buffer.from(input.content) }]);
      },
    }),
    update: operation({
      name: `update${noun}WikiPage`,
      ...writable,
      can: can(wikiPolicy, 'update_wiki_page'),
      summary: `Edit or move a wiki page of a ${kind}`,
      params: {
        ...slugParam,
        title: optional(titleParam),
        content: optional(contentParam),
        format: optional(format).describe('Format of the content of the page.'),
      },
      rules: [getAtLeastOne('title', 'content', 'format')],
      example: { content: 'Hello again' },
      run: (ctx, container, input) => update(ctx, container, input),
    }),
    remove: operation({
      name: `delete${noun}WikiPage`,
      ...writable,
      can: can(wikiPolicy, 'destroy_wiki_page'),
      summary: `Delete a wiki page of a ${kind}`,
      params: slugParam,
      run: (ctx, container, { slug }) => remove(ctx, container, slug),
    }),
  };
}

/** The operations on the wiki of a project or group (core-resources.md section 8). */
export const wikiOperations = forContainers((type) => ({ ...readingOperations(type), ...writingOperations(type) }));

const basic: Record<string, OutField<WikiPageRecord>> = {
  format: out.text((page) => page.format, { enum: WIKI_FORMATS }),
  slug: out.text((page) => page.slug),
  title: out.text((page) => page.title),
  wiki_page_meta_id: out.nullableInteger((page) => page.meta_id),
};

/** A wiki page in lists (core-resources.md section 8). */
export const wikiPageBasicSerializer = serializer<WikiPageRecord>('WikiPageBasic', basic);

/** A wiki page with its content. */
export const wikiPageSerializer = serializer<WholeWikiPage>('WikiPage', {
  ...(basic as Record<string, OutField<WholeWikiPage>>),
  content: out.text((page) => page.content),
  encoding: out.text(() => 'UTF-8'),
  front_matter: out.any((page) => page.front_matter, { type: 'object' }),
});
