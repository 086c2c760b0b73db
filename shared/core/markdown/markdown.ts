import type { Config } from '../values/config.js';
import type { ContainerRef } from '../operations/container.js';
import type { Context } from '../context/context.js';
import type { ReferenceLink, ReferenceSource } from './reference-source.js';
import type { Candidate, Rendered } from './reference-syntax.js';
import { asWritten } from './render-text.js';
import type { TextForm } from './render-text.js';
import { RenderedTexts } from './rendered-texts.js';
import { resolveReferences } from './resolve-references.js';
import { writeHtml } from './write-html.js';

/** A text, its format, and its container. */
export interface MarkdownText {
  readonly written: string;
  readonly form: TextForm;
  readonly container: ContainerRef | null;
}

/** A reference that leads somewhere. */
interface FoundLink {
  readonly kind: string;
  readonly link: ReferenceLink;
}

/**
 * Maximum number of characters of HTML for the texts of one page, before references; further texts are shown as plain
 * text.
 */
const MOST_OF_PAGE = 32 * 1024 * 1024;

/** The process-wide Markdown state: cached rendered texts, and the reference sources (decision 48). */
export class Markdown {
  #texts: RenderedTexts | undefined;

  constructor(
    private readonly config: Config,
    private readonly sources: readonly ReferenceSource[],
  ) {}

  /** A text rendered independently of the viewer. */
  render(written: string, form: TextForm): Rendered | Promise<Rendered> {
    // Only now it is known where the service listens.
    this.#texts ??= new RenderedTexts({
      syntaxes: this.sources.flatMap(({ syntaxes }) => syntaxes),
      base: this.config.externalUrl,
    });
    return this.#texts.render(written, form);
  }

  /**
   * The targets of the first references of some kinds in the texts, for the caller. Other references, and those beyond
   * `most`, are ignored.
   */
  async linksOf(
    ctx: Context,
    texts: readonly MarkdownText[],
    kinds: ReadonlySet<string>,
    most: number,
  ): Promise<FoundLink[]> {
    const candidates: { candidate: Candidate; container: ContainerRef | null }[] = [];
    for (const { written, form, container } of texts)
      for (const candidate of (await this.render(written, form)).candidates)
        if (kinds.has(candidate.kind)) candidates.push({ candidate, container });
    const first = candidates.slice(0, most);
    const candidateTexts = first.map(({ candidate, container }) => ({
      rendered: { html: [], candidates: [candidate] },
      container,
    }));
    const linkOf = await resolveReferences(ctx, this.sources, candidateTexts);
    return first.flatMap(({ candidate, container }) => {
      const link = linkOf(container, candidate);
      return link ? [{ kind: candidate.kind, link }] : [];
    });
  }

  /** Texts as the caller sees them, in their order. Their references cost a constant number of statements together. */
  async htmlOf(ctx: Context, texts: readonly MarkdownText[]): Promise<string[]> {
    let size = 0;
    const rendered: { rendered: Rendered; container: ContainerRef | null }[] = [];
    for (const { written, form, container } of texts) {
      const one = size < MOST_OF_PAGE ? await this.render(written, form) : asWritten(written, form);
      size += one.html.reduce((sum, part) => sum + part.length, 0);
      rendered.push({ rendered: one, container });
    }
    const linkOf = await resolveReferences(ctx, this.sources, rendered);
    return rendered.map(({ rendered: one, container }) => writeHtml(one, container, linkOf));
  }
}

declare module '../context/context.js' {
  interface Services {
    /** Shows texts to their readers. */
    markdown: Markdown;
  }
}
