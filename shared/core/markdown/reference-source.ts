import type { ContainerRef } from '../operations/container.js';
import type { Context } from '../context/context.js';
import type { Candidate, ReferenceSyntax } from './reference-syntax.js';

/** A reference and the container of its text: `#1` is an issue of that project. */
export interface MarkdownReference extends Pick<Candidate, 'kind' | 'path' | 'name' | 'by' | 'to'> {
  readonly container: ContainerRef | null;
}

/** The target of a reference, in plain text: the HTML is built elsewhere. */
export interface ReferenceLink {
  readonly href: string;
  /** `#1`, `group/project#1`, as short as it is clear where the text is. */
  readonly text: string;
  /** The tooltip in the browser. */
  readonly title?: string;
  /** `{ issue: 5 }` becomes `data-issue="5"`. */
  readonly data?: Readonly<Record<string, string | number>>;
}

/** The references of a page of texts, for one caller. */
export interface ReferencePage {
  readonly ctx: Context;
  /** Of all kinds. */
  readonly references: readonly MarkdownReference[];
  /** Runs a query that several sources need for the same page only once, and shares its result. */
  once<R>(ask: (ctx: Context, references: readonly MarkdownReference[]) => Promise<R>): Promise<R>;
}

/** A domain's definition of references: their syntax and their targets. */
export interface ReferenceSource {
  readonly syntaxes: readonly ReferenceSyntax[];
  /**
   * Resolves references of these syntaxes in a constant number of statements. Targets that the caller may not see are
   * left out like targets that do not exist.
   */
  resolve(
    page: ReferencePage,
    references: readonly MarkdownReference[],
  ): Promise<ReadonlyMap<MarkdownReference, ReferenceLink>>;
}
