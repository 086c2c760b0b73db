import sanitizeHtml from 'sanitize-html';
import { OWN_ID } from './heading-anchors.js';

/** The elements of a text; none that run scripts, load resources, embed frames or prompt for input. */
const TAGS = (
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr br div dl dt dd details summary table thead tbody tfoot tr th td ' +
  'a abbr b code del em i img input ins kbd mark q s samp section small span strike strong sub sup tt var'
).split(' ');

/** Ids of headings and footnotes are unchanged; any other id gets the prefix of heading ids. */
const safeId = (id: string) => (id.startsWith(OWN_ID) || /^fn(ref)?-[0-9a-f]+-[\d:]+$/.test(id) ? id : OWN_ID + id);

const withSafeId: sanitizeHtml.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: attribs.id === undefined ? attribs : { ...attribs, id: safeId(attribs.id) },
});

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    '*': ['dir', 'title', 'lang'],
    a: ['href', 'rel', 'target', 'id', 'class', 'aria-hidden'],
    img: ['src', 'alt', 'width', 'height'],
    code: ['class', 'data-math-style'],
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id']])),
    ul: ['class'],
    ol: ['start', 'class'],
    li: ['class', 'id'],
    sup: ['class'],
    section: ['class'],
    hr: ['class'],
    input: ['type', 'class', 'aria-label', 'disabled', 'checked', 'data-inapplicable'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
    details: ['open'],
  },
  allowedClasses: {
    a: ['anchor', 'footnote-backref'],
    code: ['language-*', 'code', 'math'],
    ul: ['task-list'],
    ol: ['task-list', 'footnotes-list'],
    li: ['task-list-item', 'footnote-item'],
    sup: ['footnote-ref'],
    section: ['footnotes'],
    hr: ['footnotes-sep'],
    input: ['task-list-item-checkbox'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // The one field of a text is the checkbox of a task, which cannot be changed.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'input' && !(attribs.type === 'checkbox' && attribs.disabled !== undefined),
  transformTags: {
    li: withSafeId,
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, withSafeId])),
    a: (tagName, attribs) => {
      const safe = withSafeId(tagName, attribs).attribs;
      return { tagName, attribs: leadsAway(attribs.href ?? '') ? { ...safe, ...AWAY } : safe };
    },
  },
};

/** A page that a stranger linked gets neither our address nor a hand on our window. */
export const AWAY = { rel: 'nofollow noreferrer noopener', target: '_blank' } as const;

/** Whether a link names a host. */
export const leadsAway = (href: string): boolean => /^https?:/i.test(href);

/** Cleans HTML of everything that is not on the list above, whatever wrote it. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, ALLOWED);
