import type { ContainerRef } from '../operations/container.js';
import type { Context } from '../context/context.js';
import type { Candidate, ReferenceSyntax } from './reference-syntax.js';

/** What a text refers to, and where the text is: `#1` is an issue of that project. */
export interface MarkdownReference extends Pick<Candidate, 'kind' | 'path' | 'name' | 'by' | 'to'> {
  readonly container: ContainerRef | null;
}

/** What a reference leads to, in plain text: the HTML is made of it elsewhere. */
export interface ReferenceLink {
  readonly href: string;
  /** `#1`, `group/project#1`, as short as it is clear where the text is. */
  readonly text: string;
  /** What the browser shows beside it. */
  readonly title?: string;
  /** `{ issue: 5 }` becomes `data-issue="5"`. */
  readonly data?: Readonly<Record<string, string | number>>;
}

/** The references of a page of texts, for one caller. */
export interface ReferencePage {
  readonly ctx: Context;
  /** Of all kinds. */
  readonly references: readonly MarkdownReference[];
  /** What several sources need to know of the same page is asked for once, and shared. */
  once<R>(ask: (ctx: Context, references: readonly MarkdownReference[]) => Promise<R>): Promise<R>;
}

/** What a domain knows of references: how they are written, and where they lead. */
export interface ReferenceSource {
  readonly syntaxes: readonly ReferenceSyntax[];
  /**
   * Where references of these syntaxes lead, in a constant number of statements. What the caller may not see is left
   * out like what is not there.
   */
  resolve(
    page: ReferencePage,
    references: readonly MarkdownReference[],
  ): Promise<ReadonlyMap<MarkdownReference, ReferenceLink>>;
}
