import type { SignedInContext } from '../../core/context/context.js';
import { closedBy } from './closing-pattern.js';

/** Maximum number of references read per text. */
const MOST_REFERENCES = 100;

const ISSUES: ReadonlySet<string> = new Set(['issue']);

/** The ids of issues that a text in a project refers to, as far as the caller sees them. */
export async function issueIdsIn(
  ctx: SignedInContext,
  { id }: { readonly id: number },
  written: string,
): Promise<number[]> {
  const container = { kind: 'project', id } as const;
  const found = await ctx.services.markdown.linksOf(
    ctx,
    [{ written, form: 'line', container }],
    ISSUES,
    MOST_REFERENCES,
  );
  const ids = found.map(({ link }) => link.data?.issue);
  return [...new Set(ids.filter((issue) => typeof issue === 'number'))];
}

/** The ids of issues that a text in a project closes by keyword, limited to those visible to the caller. */
export async function issuesClosedBy(
  ctx: SignedInContext,
  found: { readonly id: number },
  written: string,
): Promise<number[]> {
  const closing = closedBy(written, ctx.config.externalUrl);
  const names = closing.slice(0, MOST_REFERENCES).map(({ path, iid }) => `${path ?? ''}#${iid}`);
  return names.length > 0 ? issueIdsIn(ctx, found, names.join(' ')) : [];
}
