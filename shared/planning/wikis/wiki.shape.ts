import { out, shape } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';
import { WIKI_FORMATS } from './wiki-formats.js';
import type { WholeWikiPage, WikiPageRecord } from './wiki.record.js';

const basic: Record<string, OutField<WikiPageRecord>> = {
  format: out.text((page) => page.format, { enum: WIKI_FORMATS }),
  slug: out.text((page) => page.slug),
  title: out.text((page) => page.title),
  wiki_page_meta_id: out.nullableInteger((page) => page.meta_id),
};

/** A wiki page in lists (core-resources.md section 8). */
export const wikiPageBasicShape = shape<WikiPageRecord>('WikiPageBasic', basic);

/** A wiki page with its content. */
export const wikiPageShape = shape<WholeWikiPage>('WikiPage', {
  ...(basic as Record<string, OutField<WholeWikiPage>>),
  content: out.text((page) => page.content),
  encoding: out.text(() => 'UTF-8'),
  front_matter: out.any((page) => page.front_matter, { type: 'object' }),
});
