import type { ContainerRef } from '../operations/container.js';
import type { Context } from '../context/context.js';
import type { ReferenceLink, ReferencePage, ReferenceSource, MarkdownReference } from './reference-source.js';
import type { Candidate, Rendered } from './reference-syntax.js';

/** Different references of one page of texts; further ones stay as they were written. */
const MOST = 2000;

/** A rendered text and its container. */
interface RenderedText {
  readonly rendered: Rendered;
  readonly container: ContainerRef | null;
}

/** A key for a reference: equal references in two texts of one container have the same target. */
const getKey = (container: ContainerRef | null, { kind, path, name, by, to }: Candidate) =>
  JSON.stringify([container?.kind, container?.id, kind, path, name, by, to]);

/** Finds a link for a candidate in a text of that container. */
export type LinkOf = (container: ContainerRef | null, candidate: Candidate) => ReferenceLink | undefined;

function collectReferences(texts: readonly RenderedText[]): Map<string, MarkdownReference> {
  const references = new Map<string, MarkdownReference>();
  for (const { rendered, container } of texts)
    for (const candidate of rendered.candidates) {
      if (references.size >= MOST) return references;
      const { kind, path, name, by, to } = candidate;
      const key = getKey(container, candidate);
      if (!references.has(key))
        references.set(key, { kind, path, name, by, container, ...(to === undefined ? {} : { to }) });
    }
  return references;
}

/** What sources share while one page is resolved. */
function getPage(ctx: Context, references: readonly MarkdownReference[]): ReferencePage {
  const answers = new Map<unknown, Promise<unknown>>();
  return {
    ctx,
    references,
    once<R>(ask: (ctx: Context, references: readonly MarkdownReference[]) => Promise<R>): Promise<R> {
      const promise = answers.get(ask) ?? ask(ctx, references);
      answers.set(ask, promise);
      return promise as Promise<R>;
    },
  };
}

/** Resolves the references of all texts of a page together, for the caller. */
export async function resolveReferences(
  ctx: Context,
  sources: readonly ReferenceSource[],
  texts: readonly RenderedText[],
): Promise<LinkOf> {
  const references = collectReferences(texts);
  if (references.size === 0) return () => undefined;
  const page = getPage(ctx, [...references.values()]);
  const found = await Promise.all(
    sources.map((source) => {
      const kinds = new Set(source.syntaxes.map(({ kind }) => kind));
      const own = page.references.filter(({ kind }) => kinds.has(kind));
      return own.length > 0 ? source.resolve(page, own) : Promise.resolve(new Map<MarkdownReference, ReferenceLink>());
    }),
  );
  const links = new Map(found.flatMap((part) => [...part]));
  return (container, candidate) => {
    const one = references.get(getKey(container, candidate));
    return one && links.get(one);
  };
}
