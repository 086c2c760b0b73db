import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { escapeText } from '../../core/markdown/escape-text.js';
import { pageParts } from './front-matter.js';
import type { WholeWikiPage } from './wiki.record.js';

/** A page with its content as safe HTML: Markdown is rendered, other formats are shown as they are written. */
export async function renderedPage(ctx: Context, place: ContainerRef, page: WholeWikiPage): Promise<WholeWikiPage> {
  const { text } = pageParts(page.content);
  if (page.format !== 'markdown') return { ...page, content: `<pre>${escapeText(text)}</pre>` };
  const [content = ''] = await ctx.services.markdown.htmlOf(ctx, [{ written: text, form: 'text', place }]);
  return { ...page, content };
}
