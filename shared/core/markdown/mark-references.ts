import { findEmoji } from './emoji.js';
import { escapeAttribute, escapeText, unescapeText } from './escape-text.js';
import { ReferenceFinder } from './find-references.js';
import type { Candidate, Marks, Rendered, ReferenceSyntax } from './reference-syntax.js';

/** References and emoji of one text beyond these stay as they were written. */
const MOST = 5000;

/** Elements whose content is shown verbatim. */
const VERBATIM = new Set(['a', 'code', 'pre', 'kbd', 'samp', 'tt', 'var']);

/** `:tada:`, not within a word. */
const EMOJI = /(?<![\p{L}\p{N}_:]):([a-z0-9_+-]{1,64}):(?![\p{L}\p{N}_:])/gu;

const TAG_NAME = /^<(\/?)([a-z0-9-]+)/;
const HREF = / href="([^"]*)"/;

/** Splits safe HTML where its text may refer to something, and draws its emoji. */
class Marker {
  readonly #html: string[] = [];
  readonly #candidates: Candidate[] = [];
  readonly #finder: ReferenceFinder;
  readonly #routes: ReadonlyMap<string, ReferenceSyntax>;
  /** References of kinds that only so many may be of. */
  readonly #counts = new Map<string, number>();
  #pending = '';
  #emoji = 0;

  constructor(private readonly marks: Marks) {
    this.#finder = new ReferenceFinder(marks.syntaxes);
    this.#routes = new Map(
      marks.syntaxes.flatMap((syntax) => (syntax.routes ?? []).map((route) => [route, syntax] as const)),
    );
  }

  mark(html: string): Rendered {
    let verbatim = 0;
    for (let at = 0; at < html.length;) {
      const open = html.indexOf('<', at);
      const text = html.slice(at, open < 0 ? html.length : open);
      if (verbatim > 0) this.#pending += text;
      else this.#takeText(text);
      if (open < 0) break;
      const end = html.indexOf('>', open) + 1 || html.length;
      const tag = html.slice(open, end);
      const [, closing, name = ''] = TAG_NAME.exec(tag) ?? [];
      const link = verbatim === 0 && name === 'a' && !closing ? this.#takeLink(html, tag, end) : null;
      if (link !== null) {
        at = link;
        continue;
      }
      if (VERBATIM.has(name)) verbatim += closing ? -1 : 1;
      this.#pending += tag;
      at = end;
    }
    this.#html.push(this.#pending);
    return { html: this.#html, candidates: this.#candidates };
  }

  #push(candidate: Candidate): void {
    this.#html.push(this.#pending);
    this.#candidates.push(candidate);
    this.#pending = '';
  }

  #takeText(escaped: string): void {
    const text = unescapeText(escaped);
    let at = 0;
    if (text.includes(':'))
      for (const { 0: written, 1: name = '', index } of text.matchAll(EMOJI)) {
        const emoji = this.#emoji < MOST ? findEmoji(name) : undefined;
        if (!emoji) continue;
        this.#takePlainText(text.slice(at, index));
        this.#emoji += 1;
        this.#pending += `<gl-emoji title="${escapeAttribute(emoji.label)}" data-name="${name}">${emoji.unicode}</gl-emoji>`;
        at = index + written.length;
      }
    this.#takePlainText(text.slice(at));
  }

  #takePlainText(text: string): void {
    let at = 0;
    for (const { start, end, syntax, path, name, by, to } of this.#finder.find(text, MOST - this.#candidates.length)) {
      if (!this.#mayTake(syntax)) continue;
      this.#pending += escapeText(text.slice(at, start));
      const html = escapeText(text.slice(start, end));
      this.#push({ kind: syntax.kind, path, name, by, ...(to === undefined ? {} : { to }), html });
      at = end;
    }
    this.#pending += escapeText(text.slice(at));
  }

  /** Whether another reference of a kind is within the limit; counts it. */
  #mayTake({ kind, most = MOST }: ReferenceSyntax): boolean {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    return count < most;
  }

  /** A link to a resource of this service. Returns its end; null for any other link. */
  #takeLink(html: string, tag: string, start: number): number | null {
    const href = HREF.exec(tag)?.[1];
    if (href === undefined || this.#candidates.length >= MOST) return null;
    const url = unescapeText(href);
    const target = this.#targetOf(url);
    const close = target ? html.indexOf('</a>', start) : -1;
    if (!target || close < 0) return null;
    const inner = html.slice(start, close);
    // HTML of a text's own may have links in links.
    if (inner.includes('<a')) return null;
    const end = close + '</a>'.length;
    const own = unescapeText(inner) === url ? null : inner;
    this.#push({ ...target, html: html.slice(start - tag.length, end), link: { html: own } });
    return end;
  }

  #targetOf(url: string): Pick<Candidate, 'kind' | 'path' | 'name' | 'by'> | null {
    const { base } = this.marks;
    if (!url.startsWith(`${base}/`)) return null;
    const [path = '', rest, ...more] = url.slice(base.length + 1).split('/-/');
    const [route = '', name = '', ...further] = (rest ?? '').split('/');
    const syntax = this.#routes.get(route);
    if (!syntax || more.length > 0 || further.length > 0 || path.length > 5120) return null;
    const by = /^[0-9]{1,10}$/.test(name) ? 'number' : /^[0-9a-f]{7,40}$/.test(name) ? 'sha' : null;
    return by && syntax.nameForms.includes(by) ? { kind: syntax.kind, path, name, by } : null;
  }
}

/**
 * Marks what may be a reference in safe HTML: nothing in links, code or preformatted text. What it works on has no tag
 * that is not whole and no `>` in an attribute, as `renderHtml` writes it.
 */
export const markReferences = (html: string, marks: Marks): Rendered => new Marker(marks).mark(html);
