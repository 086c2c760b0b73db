import type { ContainerRef } from '../operations/container.js';
import type { Context } from '../context/context.js';
import type { ReferenceLink, ReferencePage, ReferenceSource, WantedReference } from './reference-source.js';
import type { Candidate, Rendered } from './reference-syntax.js';

/** Different references of one page of texts; further ones stay as they were written. */
const MOST = 2000;

/** A text that is rendered, and where it is. */
interface PlacedText {
  readonly rendered: Rendered;
  readonly place: ContainerRef | null;
}

/** A name for a reference: what two texts of one place write alike leads to the same. */
const keyOf = (place: ContainerRef | null, { kind, path, name, by, to }: Candidate) =>
  JSON.stringify([place?.kind, place?.id, kind, path, name, by, to]);

/** Finds a link for a candidate in a text of that place. */
export type LinkOf = (place: ContainerRef | null, candidate: Candidate) => ReferenceLink | undefined;

function wantedOf(texts: readonly PlacedText[]): Map<string, WantedReference> {
  const wanted = new Map<string, WantedReference>();
  for (const { rendered, place } of texts)
    for (const candidate of rendered.candidates) {
      if (wanted.size >= MOST) return wanted;
      const { kind, path, name, by, to } = candidate;
      const key = keyOf(place, candidate);
      if (!wanted.has(key)) wanted.set(key, { kind, path, name, by, place, ...(to === undefined ? {} : { to }) });
    }
  return wanted;
}

/** What sources share while one page is resolved. */
function pageOf(ctx: Context, wanted: readonly WantedReference[]): ReferencePage {
  const asked = new Map<unknown, Promise<unknown>>();
  return {
    ctx,
    wanted,
    once<R>(ask: (ctx: Context, wanted: readonly WantedReference[]) => Promise<R>): Promise<R> {
      const known = asked.get(ask) ?? ask(ctx, wanted);
      asked.set(ask, known);
      return known as Promise<R>;
    },
  };
}

/** Resolves the references of all texts of a page together, for the caller. */
export async function resolveReferences(
  ctx: Context,
  sources: readonly ReferenceSource[],
  texts: readonly PlacedText[],
): Promise<LinkOf> {
  const wanted = wantedOf(texts);
  if (wanted.size === 0) return () => undefined;
  const page = pageOf(ctx, [...wanted.values()]);
  const found = await Promise.all(
    sources.map((source) => {
      const kinds = new Set(source.syntaxes.map(({ kind }) => kind));
      const own = page.wanted.filter(({ kind }) => kinds.has(kind));
      return own.length > 0 ? source.resolve(page, own) : Promise.resolve(new Map<WantedReference, ReferenceLink>());
    }),
  );
  const links = new Map(found.flatMap((part) => [...part]));
  return (place, candidate) => {
    const one = wanted.get(keyOf(place, candidate));
    return one && links.get(one);
  };
}
